import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentedCalls } from '#server/calls.ts'
import { createOpenApi } from '#server/http/openapi.ts'

/* `npm run api` writes the OpenAPI document as a page that people like to read. It is fetched by npm when it is asked for. */

const generator = '@redocly/cli@2.77.0'
const folder = join('dist', 'api')
const [document, page] = [join(folder, 'openapi.json'), join(folder, 'index.html')]

mkdirSync(folder, { recursive: true })
writeFileSync(document, JSON.stringify(createOpenApi(documentedCalls)))
const { status } = spawnSync('npx', ['--yes', generator, 'build-docs', document, '-o', page], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
})
if (status === 0) console.log(`${page} is there. Open it in a browser.`)
process.exit(status ?? 1)
