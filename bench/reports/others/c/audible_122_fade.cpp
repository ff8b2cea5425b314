/* https://github.com/VCVRack/AudibleInstruments/issues/122

   A table of 17 values is interpolated at 16 times the position; the position
   1.0 is admitted and reads an 18th value. */

static const float fade_in[17] = {
    0.0f, 0.0980f, 0.1951f, 0.2903f, 0.3827f, 0.4714f, 0.5556f, 0.6344f, 0.7071f,
    0.7730f, 0.8315f, 0.8819f, 0.9239f, 0.9569f, 0.9808f, 0.9952f, 1.0f,
};

float reported(float position, float level)
{
    if (!(position >= 0.0f))
        position = 0.0f;
    if (position > 1.0f)
        position = 1.0f;
    if (!(level >= 0.0f && level <= 2.0f))
        level = 1.0f;
    float place = position * 16.0f;
    int whole = static_cast<int>(place);
    float part = place - static_cast<float>(whole);
    float a = fade_in[whole];
    float b = fade_in[whole + 1]; /* fault: bounds */
    return level * (a + (b - a) * part);
}

float mended(float position, float level)
{
    if (!(position >= 0.0f))
        position = 0.0f;
    if (position > 1.0f)
        position = 1.0f;
    if (!(level >= 0.0f && level <= 2.0f))
        level = 1.0f;
    float place = position * 16.0f;
    int whole = static_cast<int>(place);
    if (whole >= 16)
        return level * fade_in[16];
    float part = place - static_cast<float>(whole);
    float a = fade_in[whole];
    float b = fade_in[whole + 1];
    return level * (a + (b - a) * part);
}
