// SPDX-License-Identifier: Apache-2.0
// What every run of a browser here shares: Debian's Chromium, kept from the network, in a profile of its own.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const hasBrowser = () => existsSync(CHROMIUM);

/** Opens an administrator's session in a browser: the address in the file is good for one. */
export async function login(context, file) {
  const page = await context.newPage();
  await page.goto(readFileSync(file, 'utf8').trim());
  await page.close();
}

/** The same without a browser: the cookie that later requests have to carry. */
export async function session(file) {
  const opened = await fetch(readFileSync(file, 'utf8').trim(), { redirect: 'manual' });
  return opened.headers.get('set-cookie').split(';')[0];
}

export async function open(options = {}) {
  const profile = mkdtempSync(join(tmpdir(), 'console-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync',
    ],
    viewport: { width: 1280, height: 900 },
    ...options,
  });
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
