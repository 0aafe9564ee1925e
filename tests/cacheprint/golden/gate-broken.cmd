cacheprint --gate 'D1m <= +1%' --gate 'D1m% < 5%' --gate 'Ir<=+0%' v2.out v1.out --before v2 -I v1 --mod-filename=s,/v./,/,
