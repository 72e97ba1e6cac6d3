// The check at the end of every browser test sees what it should see.

import assert from 'node:assert/strict';
import test from 'node:test';
import { sharedContext } from './support/browser.js';
import { Journal } from './support/journal.js';
import { documentOf } from './support/page.js';
import { STRICT_POLICY, sharedServer } from './support/server.js';

const MISDEEDS = [
  { name: 'a console error', script: "console.error('broken')", complaint: /^console error: broken$/ },
  { name: 'an uncaught error', script: "throw new Error('uncaught')", complaint: /^page error: Error: uncaught/ },
  { name: 'a rejected promise', script: "Promise.reject(new Error('rejected'))", complaint: /^page error: Error: rejected/ },
  { name: 'an inline style', script: "document.body.setAttribute('style', 'color: red')", complaint: /content policy: style-src-attr/ },
  { name: 'code from text', script: "try { new Function('return 1') } catch {}", complaint: /content policy: script-src refused eval/ },
  { name: 'a request to another origin', script: "new Image().src = 'http://127.0.0.1:9/a.png'", policy: null, complaint: /^request to another origin: http:\/\/127\.0\.0\.1:9\/a\.png$/ },
  { name: 'a missing file', script: "fetch('/nothing')", complaint: /^console error: Failed to load resource.*404/ },
];

for (const { name, script, policy = STRICT_POLICY, complaint } of MISDEEDS) {
  test(`the journal complains about ${name}`, async () => {
    const [context, server] = await Promise.all([sharedContext({}), sharedServer()]);
    const journal = new Journal();
    const module = server.add({ body: script, type: 'text/javascript' }, 'script.js');
    const page = await context.newPage();
    await journal.watch(page);
    await page.goto(server.origin + server.add({ body: documentOf('', { script: module }), policy }), { waitUntil: 'networkidle' });
    await page.close();
    assert.ok(journal.complaints(server.origin, []).some((text) => complaint.test(text)), JSON.stringify(journal));
  });
}

test('the journal has nothing to say about a quiet page', async () => {
  const [context, server] = await Promise.all([sharedContext({}), sharedServer()]);
  const journal = new Journal();
  const page = await context.newPage();
  await journal.watch(page);
  await page.goto(server.origin + server.add({ body: documentOf('<p>Quiet.</p>', { script: null }) }), { waitUntil: 'networkidle' });
  await page.close();
  assert.deepEqual(journal.complaints(server.origin, []), []);
});
