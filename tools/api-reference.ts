import { apiRoutes } from '#contract/paths.ts'
import { createOpenApi, type DocumentedCall } from '#server/http/openapi.ts'
import { documentedCalls } from '#server/calls.ts'

type Schema = { $ref?: string; type?: string | string[]; items?: Schema } & Fields & {
    allOf?: Fields[]
    anyOf?: Schema[]
  }
type Fields = { properties?: Record<string, Schema>; required?: string[] }

const maxWidth = 98

/** The text of docs/api.md: which calls there are. What exactly they take and answer is in the OpenAPI document. */
export function formatApiReference(): string {
  const document = createOpenApi(documentedCalls)
  const calls = documentedCalls.flatMap(({ route }) => {
    const [method = '', url = ''] = route.split(' ')
    const path = url.replaceAll(/:(\w+)/g, '{$1}')
    const call = document.paths[path]?.[method.toLowerCase()]
    return call ? [{ name: `${method} ${path}`, call }] : []
  })
  const chapters = document.tags.flatMap(({ name }) => [
    `## ${name}`,
    ...calls
      .filter(({ call }) => call.tags[0] === name)
      .map((entry) => wrap(formatCall(entry.name, entry.call), '- ')),
  ])
  return `${[
    '# API',
    wrap(
      `Written by \`npm run format\` from the definitions that the shop itself uses; do not edit it. ` +
        `Every field, answer and refusal: \`GET ${apiRoutes.openapi}\`, an OpenAPI 3.1 document, which ` +
        `\`npm run api\` makes a page of.`,
    ),
    ...document.info.description.split('\n\n').map((paragraph) => wrap(paragraph)),
    'Log in once; the cookie is kept in a file:',
    [
      '```sh',
      'SHOP=http://127.0.0.1:3000',
      `curl -c cookies.txt "$SHOP${apiRoutes.adminLogin}" --json '{"username":"admin","password":"…"}'`,
      `curl -b cookies.txt "$SHOP${apiRoutes.products}"`,
      '```',
    ].join('\n'),
    ...chapters,
  ].join('\n\n')}\n`
}

function formatCall(name: string, call: DocumentedCall): string {
  const { summary, description, requestBody, responses } = call
  const query = (call.parameters ?? []).filter((parameter) => parameter.in === 'query')
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const fields = body?.schema ? listFields(body.schema) : [type ?? '']
  const answers = Object.entries(responses).flatMap(([status, response]) => {
    if ('$ref' in response) return []
    const [media, content] = Object.entries(response.content ?? {})[0] ?? []
    return [`${status} ${content?.schema ? nameOf(content.schema) : (media ?? 'nothing')}`]
  })
  return [
    `**\`${name}\`** ${formatCaller(call)}. ${summary}`,
    description ?? '',
    query.length > 0 ? `Asks for ${query.map((one) => `\`${one.name}\``).join(', ')}.` : '',
    requestBody ? `Takes ${fields.join(', ')}.` : '',
    answers.length > 0 ? `Answers ${answers.join(', ')}.` : '',
  ]
    .filter((part) => part !== '')
    .join(' ')
}

function formatCaller({ security, responses }: DocumentedCall): string {
  const [scheme] = Object.keys(security[0] ?? {})
  if (scheme === 'admin') return 'for admins'
  if (scheme === 'buyer') return 'for the browser that opened the payment'
  return '404' in responses && JSON.stringify(responses['404']).includes('call-missing')
    ? 'for anyone, on the main address'
    : 'for anyone'
}

/** The fields of an object, or of several that are one (`allOf`). */
function listFields(schema: Schema): string[] {
  return (schema.allOf ?? [schema]).flatMap(({ properties = {}, required = [] }) =>
    Object.keys(properties).map((name) => `\`${name}\`${required.includes(name) ? '' : '?'}`),
  )
}

/** What an answer is called, or which fields it has. */
function nameOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.type === 'array') return `a list of ${nameOf(schema.items ?? {})}`
  if (schema.anyOf) return [...new Set(schema.anyOf.map(nameOf))].join(' or ')
  return listFields(schema).join(', ') || 'JSON'
}

/** Lines of a paragraph, or with a sign in front of an entry of a list. */
function wrap(text: string, sign = ''): string {
  const lines: string[] = []
  let line = sign
  for (const word of text.split(/\s+/)) {
    const isFull = line.trim() !== '' && line.length + word.length > maxWidth
    if (isFull) lines.push(line.trimEnd())
    line = `${isFull ? ' '.repeat(sign.length) : line}${word} `
  }
  return [...lines, line.trimEnd()].join('\n')
}
