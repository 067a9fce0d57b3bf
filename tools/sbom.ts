import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/*
 * `npm run sbom [-- FILE]`: what the running shop consists of, as CycloneDX, by npm itself and from the lock file alone:
 * so it is the same on every machine, and names the packages of all of them.
 */

const given = process.env.npm_execpath ?? ''
const cli = [given, join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js')].find(
  (path) => path.endsWith('npm-cli.js') && existsSync(path),
)
if (!cli) fail('npm was not found. Please run: npm run sbom')
const options = ['--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only', '--loglevel=error']
const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'sbom', ...options], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
if (status !== 0) fail(stderr || 'npm sbom failed. It needs npm 9.6 or newer.')
const list: { components: unknown[]; metadata: { component: { name: string } } } =
  JSON.parse(stdout)
// npm takes the name from the folder.
list.metadata.component.name = 'till'
const json = `${JSON.stringify(list, undefined, 2)}\n`
const [file] = process.argv.slice(2)
if (file) {
  writeFileSync(file, json)
  console.log(`${list.components.length} packages are listed in ${file}`)
} else process.stdout.write(json)

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
