// Box2D's testbed without a window: each of its scenes for some frames, with a mouse that pulls, keys that are pressed,
// and its panels by Dear ImGui. All that would be drawn is hashed.
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "draw.h"
#include "imgui/imgui.h"
#include "settings.h"
#include "test.h"

DebugDraw g_debugDraw;
Camera g_camera;
GLFWwindow *g_mainWindow = nullptr;

static uint64_t hash = 0xcbf29ce484222325;
static int shapes = 0, texts = 0, vertices = 0;
static int key_down = 0;

static void add(const void *data, size_t size)
{
	const unsigned char *p = (const unsigned char *)data;
	for (size_t i = 0; i < size; ++i)
		hash = (hash ^ p[i]) * 0x100000001b3;
}

static void add(const b2Vec2 &v)
{
	add(&v.x, sizeof v.x);
	add(&v.y, sizeof v.y);
}

static void add(const b2Color &color)
{
	add(&color, sizeof color);
	++shapes;
}

int glfwGetKey(GLFWwindow *, int key)
{
	return key == key_down;
}

b2Vec2 Camera::ConvertScreenToWorld(const b2Vec2 &p)
{
	return m_center + b2Vec2(p.x / m_width - 0.5f, 0.5f - p.y / m_height);
}

b2Vec2 Camera::ConvertWorldToScreen(const b2Vec2 &p)
{
	return b2Vec2((p.x - m_center.x) * m_width, (m_center.y - p.y) * m_height);
}

DebugDraw::DebugDraw() : m_showUI(true), m_points(nullptr), m_lines(nullptr), m_triangles(nullptr)
{
}

DebugDraw::~DebugDraw()
{
}

void DebugDraw::DrawPolygon(const b2Vec2 *corners, int32 count, const b2Color &color)
{
	for (int32 i = 0; i < count; ++i)
		add(corners[i]);
	add(color);
}

void DebugDraw::DrawSolidPolygon(const b2Vec2 *corners, int32 count, const b2Color &color)
{
	DrawPolygon(corners, count, color);
}

void DebugDraw::DrawCircle(const b2Vec2 &center, float radius, const b2Color &color)
{
	add(center);
	add(&radius, sizeof radius);
	add(color);
}

void DebugDraw::DrawSolidCircle(const b2Vec2 &center, float radius, const b2Vec2 &axis, const b2Color &color)
{
	add(axis);
	DrawCircle(center, radius, color);
}

void DebugDraw::DrawSegment(const b2Vec2 &p, const b2Vec2 &q, const b2Color &color)
{
	add(p);
	add(q);
	add(color);
}

void DebugDraw::DrawTransform(const b2Transform &transform)
{
	add(transform.p);
	add(&transform.q, sizeof transform.q);
	++shapes;
}

void DebugDraw::DrawPoint(const b2Vec2 &p, float size, const b2Color &color)
{
	DrawCircle(p, size, color);
}

// written: but for times.
static void written(const char *format, va_list arguments)
{
	char text[500];
	if (strstr(format, " time ="))
		return;
	add(text, vsnprintf(text, sizeof text, format, arguments));
	++texts;
}

void DebugDraw::DrawString(int x, int y, const char *format, ...)
{
	va_list arguments;
	add(b2Vec2(x, y));
	va_start(arguments, format);
	written(format, arguments);
	va_end(arguments);
}

void DebugDraw::DrawString(const b2Vec2 &p, const char *format, ...)
{
	va_list arguments;
	add(p);
	va_start(arguments, format);
	written(format, arguments);
	va_end(arguments);
}

void DebugDraw::DrawAABB(b2AABB *box, const b2Color &color)
{
	DrawSegment(box->lowerBound, box->upperBound, color);
}

void DebugDraw::Flush()
{
}

// panels: one frame of them, with the mouse at a place of its own.
static void panels(Test *test, int frame)
{
	ImGuiIO &io = ImGui::GetIO();
	io.DisplaySize = ImVec2(1280, 800);
	io.DeltaTime = 1 / 60.0f;
	io.MousePos = ImVec2(20 + frame * 7 % 220, 110 + frame * 3 % 160);
	io.MouseDown[0] = frame % 5 < 2;
	ImGui::NewFrame();
	test->UpdateUI();
	if (frame % 40 == 0)
		ImGui::ShowMetricsWindow();
	ImGui::Render();
	ImDrawData *data = ImGui::GetDrawData();
	vertices += data->TotalVtxCount;
	for (int i = 0; i < data->CmdListsCount; ++i) {
		ImDrawList *list = data->CmdLists[i];
		add(list->VtxBuffer.Data, list->VtxBuffer.Size * sizeof list->VtxBuffer[0]);
		add(list->IdxBuffer.Data, list->IdxBuffer.Size * sizeof list->IdxBuffer[0]);
	}
}

static void play(const TestEntry &entry, int frames)
{
	Settings settings;
	Test *test = entry.createFcn();
	settings.m_drawAABBs = settings.m_drawCOMs = settings.m_drawStats = true;
	settings.m_drawContactPoints = settings.m_drawContactNormals = true;
	settings.m_drawContactImpulse = settings.m_drawFrictionImpulse = true;
	for (int frame = 0; frame < frames; ++frame) {
		static const char keys[] = "ADSMBCQEWFGHJK,12345";
		int part = frame * 8 / frames;
		settings.m_enableSubStepping = part == 5;
		settings.m_enableWarmStarting = part != 6;
		key_down = keys[frame / 4 % (sizeof keys - 1)];
		if (frame % 4 == 0)
			test->Keyboard(key_down);
		if (frame % 40 == 10)
			test->MouseDown(b2Vec2(frame % 7 - 3.0f, frame % 11 + 0.5f));
		if (frame % 40 == 30)
			test->MouseUp(b2Vec2(1.0f, 3.0f));
		test->MouseMove(b2Vec2(frame % 13 - 6.0f, frame % 17 * 0.8f));
		if (frame == frames / 3)
			test->LaunchBomb();
		test->DrawTitle(entry.name);
		test->Step(settings);
		if (frame % 4 == 3)
			test->KeyboardUp(key_down);
		panels(test, frame);
	}
	delete test;
	printf("%s, %s: %d shapes, %d texts, %d vertices, %016llx\n", entry.category, entry.name, shapes, texts,
	       vertices, (unsigned long long)hash);
}

int main(int argc, char **argv)
{
	int frames = argc > 1 ? atoi(argv[1]) : 60, every = argc > 2 ? atoi(argv[2]) : 1;
	unsigned char *pixels;
	int width, height;
	ImGui::CreateContext();
	ImGui::GetIO().IniFilename = nullptr;
	ImGui::GetIO().Fonts->AddFontFromFileTTF("testbed/data/droid_sans.ttf", 14);
	ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
	add(pixels, 4 * width * height);
	printf("font %dx%d, %016llx\n", width, height, (unsigned long long)hash);
	for (int i = 0; i < g_testCount; i += every)
		play(g_testEntries[i], frames);
	ImGui::DestroyContext();
}
