import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { formatApiReference } from '#tools/api-reference.ts'
import { formatEnvExample } from '#tools/env-example.ts'

writeFileSync('.env.example', formatEnvExample())
writeFileSync('docs/api.md', formatApiReference())
const { status } = spawnSync(process.execPath, ['node_modules/oxfmt/bin/oxfmt', '.'], {
  stdio: 'inherit',
})
process.exit(status ?? 1)
