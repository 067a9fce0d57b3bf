import { exampleOf, isSecret, sections, type VariableName } from '#server/environment-variables.ts'

/** The text of .env.example: every setting, commented out, under its group. */
export function formatEnvExample(): string {
  const lines = [
    '# Copy to .env and uncomment what you need. Everything is optional.',
    '# A secret can also be given as a file: NAME_FILE=/run/secrets/name.',
  ]
  for (const { title, entries } of sections) {
    lines.push('', `## ${title}`)
    for (const [name, { about, expected }] of Object.entries(entries)) {
      const secret = isSecret(name as VariableName) ? ' Secret.' : ''
      lines.push(
        `# ${about} Expects ${expected}.${secret}`,
        `#${name}=${exampleOf(name as VariableName)}`,
      )
    }
  }
  return `${lines.join('\n')}\n`
}
