import { bounds } from './bounds.ts'
import { explore } from './search.ts'
const [name, max='60'] = process.argv.slice(2)
for (const bound of bounds.filter((one) => !name || name.split(',').includes(one.name))) {
  const { found, ...rest } = explore(bound, { maxSeconds: Number(max) })
  console.log(bound.name, rest)
  if (found) console.log(found.violation, '\n  ' + found.trace.join('\n  '))
}
