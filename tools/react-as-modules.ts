import type { Plugin } from 'vite'

/**
 * React is published as CommonJS, of which a bundler keeps every export and calls each through an object. As modules, a
 * page has only what it uses of it. The build fails if a new version is written differently.
 */
export function reactAsModules(): Plugin {
  const files =
    /node_modules[\\/](?:react|react-dom|scheduler)[\\/](?:[a-z-]+|cjs[\\/][a-z-]+\.production)\.js$/
  return {
    name: 'react-as-modules',
    apply: 'build',
    applyToEnvironment: ({ config }) => config.consumer === 'client',
    transform: { filter: { id: files }, handler: (code) => ({ code: toModule(code), map: null }) },
  }
}

function toModule(code: string): string {
  const published = /require\('(\.\/cjs\/[a-z-]+\.production\.js)'\)/.exec(code)?.[1]
  if (published) return `export * from '${published}'\nexport * as default from '${published}'`
  const names = new Set([...code.matchAll(/\bexports\.(\w+)/g)].map(([, name]) => name))
  const imports: string[] = []
  const body = code
    .replaceAll(/(?:var|,)\s+(\w+) = require\("([a-z-]+)"\)/g, (_declaration, name, path) => {
      imports.push(`import * as ${name} from '${path}'`)
      return ''
    })
    .replaceAll(/^exports\.(\w+) =/gm, 'var exports_$1 =')
    .replaceAll(/\bexports\./g, 'exports_')
  if (names.size === 0 || /\bexports\b|\brequire\b/.test(body))
    throw new Error('React is written differently: tools/react-as-modules.ts has to follow')
  const exported = [...names].map((name) => `exports_${name} as ${name}`)
  return [...imports, body, `export { ${exported.join(', ')} }`].join('\n')
}
