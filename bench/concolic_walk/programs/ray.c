/* A ray tracer's arithmetic in singles: vectors, a sphere that a ray may hit, and Phong's shading of a surface. */
#include <float.h>
#include <math.h>

typedef struct {
  float x, y, z;
} Vector;

typedef struct {
  Vector origin, direction;
  float t; /* of the nearest hit so far */
} Ray;

typedef struct {
  Vector centre;
  float radius;
} Sphere;

typedef struct {
  float red, green, blue;
} Color;

typedef struct {
  Color color;
  float ambient, diffuse, specular, shininess, transmission, reflection, index;
} Surface;

enum { AMBIENT, DIRECTIONAL, POINT };

typedef struct {
  int type;
  Color color;
  Vector place; /* or direction */
} Light;

static float dot(const Vector *a, const Vector *b) { return a->x * b->x + a->y * b->y + a->z * b->z; }

static void normalize(Vector *v) {
  float t = dot(v, v);
  if (t != 0.0f)
    if (t != 1.0f) {
      t = (float)(1.0 / sqrt(t));
      v->x *= t;
      v->y *= t;
      v->z *= t;
    }
}

static int intersect(const Sphere *sphere, Ray *ray) {
  Vector d = {sphere->centre.x - ray->origin.x, sphere->centre.y - ray->origin.y, sphere->centre.z - ray->origin.z};
  float v = dot(&ray->direction, &d);
  if (v - sphere->radius > ray->t) return 0;
  float t = sphere->radius * sphere->radius + v * v - dot(&d, &d);
  if (t < 0.0f) return 0;
  t = v - (float)sqrt(t);
  if (t > ray->t) return 0; /* never true: v would be infinite, so would be the square of d, and t NaN */
  if (t < 0.0f) return 0;
  ray->t = t;
  return 1;
}

static void shade(const Surface *surface, const Vector *p, const Vector *n, const Vector *v, const Light *light,
                  const Color *background, Color *seen) {
  const Color *own = &surface->color, *given = &light->color;
  seen->red = seen->green = seen->blue = 0.0f;
  if (light->type == AMBIENT) {
    seen->red += surface->ambient * own->red * given->red;
    seen->green += surface->ambient * own->green * given->green;
    seen->blue += surface->ambient * own->blue * given->blue;
  } else {
    Vector l;
    if (light->type == POINT) {
      l.x = light->place.x - p->x;
      l.y = light->place.y - p->y;
      l.z = light->place.z - p->z;
      normalize(&l);
    } else {
      l.x = -light->place.x;
      l.y = -light->place.y;
      l.z = -light->place.z;
    }
    float lambert = dot(n, &l);
    if (lambert > 0.0f) {
      if (surface->diffuse > 0.0f) {
        float diffuse = surface->diffuse * lambert;
        seen->red += diffuse * own->red * given->red;
        seen->green += diffuse * own->green * given->green;
        seen->blue += diffuse * own->blue * given->blue;
      }
      if (surface->specular > 0.0f) {
        lambert *= 2.0f;
        Vector mirrored = {lambert * n->x - l.x, lambert * n->y - l.y, lambert * n->z - l.z};
        float specular = dot(v, &mirrored);
        if (specular > 0.0f) {
          specular = surface->specular * (float)pow(specular, surface->shininess);
          seen->red += specular * given->red;
          seen->green += specular * given->green;
          seen->blue += specular * given->blue;
        }
      }
    }
  }
  if (surface->reflection > 0.0f) {
    float t = dot(v, n);
    if (t > 0.0f) { /* nothing else is there: the background is reflected */
      seen->red += surface->reflection * background->red;
      seen->green += surface->reflection * background->green;
      seen->blue += surface->reflection * background->blue;
    }
  }
  if (seen->red > 1.0f) seen->red = 1.0f;
  if (seen->green > 1.0f) seen->green = 1.0f;
  if (seen->blue > 1.0f) seen->blue = 1.0f;
}

float vector_normalize(float x, float y, float z) {
  Vector v = {x, y, z};
  normalize(&v);
  return v.x;
}

static int hits(const Sphere *sphere, Ray *ray) {
  ray->t = FLT_MAX;
  normalize(&ray->direction);
  return intersect(sphere, ray);
}

int ray_trace(float ox, float oy, float oz, float dx, float dy, float dz, float cx, float cy, float cz, float radius) {
  Ray ray = {{ox, oy, oz}, {dx, dy, dz}, 0.0f};
  Sphere sphere = {{cx, cy, cz}, radius};
  return hits(&sphere, &ray);
}

float sphere_intersect(float red, float green, float blue, float ambient, float diffuse, float specular,
                       float shininess, float transmission, float reflection, float index, float cx, float cy,
                       float cz, float radius, float ox, float oy, float oz, float dx, float dy, float dz) {
  Surface surface = {{red, green, blue}, ambient, diffuse, specular, shininess, transmission, reflection, index};
  Ray ray = {{ox, oy, oz}, {dx, dy, dz}, 0.0f};
  Sphere sphere = {{cx, cy, cz}, radius};
  if (hits(&sphere, &ray)) return surface.color.red;
  return 0.0f;
}

float surface_shade(float red, float green, float blue, float ambient, float diffuse, float specular, float shininess,
                    float transmission, float reflection, float index, float px, float py, float pz, float nx,
                    float ny, float nz, float vx, float vy, float vz, float lred, float lgreen, float lblue, float lx,
                    float ly, float lz, int type) {
  Surface surface = {{red, green, blue}, ambient, diffuse, specular, shininess, transmission, reflection, index};
  Vector p = {px, py, pz}, n = {nx, ny, nz}, v = {vx, vy, vz};
  Light light = {type, {lred, lgreen, lblue}, {lx, ly, lz}};
  Color background = {0.0f, 0.0f, 0.0f}, seen;
  shade(&surface, &p, &n, &v, &light, &background, &seen);
  return seen.red;
}

float sphere_shade(float red, float green, float blue, float ambient, float diffuse, float specular, float shininess,
                   float transmission, float reflection, float index, float cx, float cy, float cz, float radius,
                   float ox, float oy, float oz, float dx, float dy, float dz, float lred, float lgreen, float lblue,
                   float lx, float ly, float lz, float bred, float bgreen, float bblue, int type) {
  Surface surface = {{red, green, blue}, ambient, diffuse, specular, shininess, transmission, reflection, index};
  Ray ray = {{ox, oy, oz}, {dx, dy, dz}, 0.0f};
  Sphere sphere = {{cx, cy, cz}, radius};
  Light light = {type, {lred, lgreen, lblue}, {lx, ly, lz}};
  Color background = {bred, bgreen, bblue}, seen;
  if (!hits(&sphere, &ray)) return 0.0f;
  Vector v = {-ray.direction.x, -ray.direction.y, -ray.direction.z};
  Vector p = {ray.origin.x + ray.t * ray.direction.x, ray.origin.y + ray.t * ray.direction.y,
              ray.origin.z + ray.t * ray.direction.z};
  Vector n = {p.x - cx, p.y - cy, p.z - cz};
  normalize(&n);
  shade(&surface, &p, &n, &v, &light, &background, &seen);
  return seen.red;
}
