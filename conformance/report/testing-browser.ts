import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** A headless Chromium: the one that CHROMIUM names, or one from the usual places. Throws when there is none. */
export async function launchChromium(): Promise<Browser> {
  const wanted = process.env.CHROMIUM;
  const executablePath = [...(wanted ? [wanted] : USUAL_PLACES)].find((place) => existsSync(place));
  if (executablePath === undefined) {
    throw new Error(
      wanted
        ? `CHROMIUM names ${wanted}, which does not exist`
        : 'These tests need Chromium: install it (apt-get install chromium), or name it in CHROMIUM',
    );
  }
  // Chromium refuses to sandbox itself when root starts it, as in most containers.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}
