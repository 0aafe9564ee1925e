/* The parts of the HTML report (html/), made part of the program by assets.S. */
#ifndef CACHEPRINT_ASSETS_H
#define CACHEPRINT_ASSETS_H

extern const char asset_css[];
extern const char asset_html[];
extern const char asset_js[];

#endif
