/* Font Awesome as SVG script (1.5 MB) is not used: every icon comes from the web font. */
