import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { formatEnvExample } from '#tools/env-example.ts'

writeFileSync('.env.example', formatEnvExample())
const { status } = spawnSync(process.execPath, ['node_modules/oxfmt/bin/oxfmt', '.'], {
  stdio: 'inherit',
})
process.exit(status ?? 1)
