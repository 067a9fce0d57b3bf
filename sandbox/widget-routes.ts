import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

export const sdkPath = '/gateway/ecom/card/v2/sdk.js'

/** In the order in which they need each other. */
const parts = ['card', 'texts', 'style', 'fields', 'form', 'gateway', 'challenge', 'widget', 'sdk']

/** The browser's side: the widget's one script, and what the 3-D Secure page looks like. */
export function mountWidget(app: FastifyInstance): void {
  const files = {
    [sdkPath]: { type: 'text/javascript', text: joinScript() },
    '/gateway/ecom/3ds/start.js': { type: 'text/javascript', text: readPart('challenge-start.js') },
    '/gateway/ecom/3ds/ended.js': { type: 'text/javascript', text: readPart('challenge-ended.js') },
    '/gateway/ecom/3ds/challenge.css': { type: 'text/css', text: readPart('challenge.css') },
  }
  for (const [path, { type, text }] of Object.entries(files))
    app.get(path, (_request, reply) =>
      reply
        .headers({
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
          'cache-control': 'no-cache',
          'x-content-type-options': 'nosniff',
        })
        .type(`${type}; charset=utf-8`)
        .send(text),
    )
}

/** The parts are modules while we write them and one plain script for the shop, as SumUp's is. */
function joinScript(): string {
  const bodies = parts.map((part) =>
    readPart(`${part}.js`)
      .replaceAll(/^import [^]*? from '[^']*'\n/gm, '')
      .replaceAll(/^export /gm, ''),
  )
  return `;(() => {\n'use strict'\n${bodies.join('\n')}})()\n`
}

function readPart(name: string): string {
  return readFileSync(new URL(`./widget/${name}`, import.meta.url), 'utf8')
}
