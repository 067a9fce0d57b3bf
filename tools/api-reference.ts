import { apiRoutes } from '#contract/paths.ts'
import { refusals } from '#contract/refusals.ts'
import { createOpenApi, type DocumentedCall } from '#server/http/openapi.ts'
import { documentedCalls } from '#server/calls.ts'

type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  const?: string | number | boolean
  enum?: (string | number | boolean)[]
  default?: unknown
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

/** The text of docs/api.md: the OpenAPI document for people. */
export function formatApiReference(): string {
  const document = createOpenApi(documentedCalls)
  const calls = documentedCalls.flatMap(({ route }) => {
    const [method = '', url = ''] = route.split(' ')
    const path = url.replaceAll(/:(\w+)/g, '{$1}')
    const call = document.paths[path]?.[method.toLowerCase()]
    return call ? [{ path, method, call }] : []
  })
  const sections = document.tags.map(({ name }) => [
    `## ${name}`,
    ...calls.filter(({ call }) => call.tags[0] === name).flatMap(formatCall),
  ])
  const types = Object.entries(document.components.schemas) as [string, Schema][]
  return `${[
    '# API',
    `Written by \`npm run format\` from the schemas that the shop itself uses; do not edit it. The same for programs: \`GET ${apiRoutes.openapi}\`, an OpenAPI 3.1 document.`,
    document.info.description,
    'The examples are for a shop on this machine. Log in once; the cookie is kept in a file:',
    formatShell([
      'SHOP=http://127.0.0.1:3000',
      `curl -c cookies.txt "$SHOP${apiRoutes.adminLogin}" --json '{"username":"owner","password":"…"}'`,
    ]),
    [...document.tags.map(({ name }) => name), 'Types', 'Refusals']
      .map((name) => `- [${name}](#${anchorOf(name)})`)
      .join('\n'),
    ...sections.flat(),
    '## Types',
    ...types.flatMap(formatNamed),
    '## Refusals',
    'With each call stand those that it has besides the common ones: `bad-request`, `body-…` and `too-many-requests`, for admins `unauthorized`, for pages of other sites `foreign-origin`, and `unavailable` or `unexpected` when something is broken.',
    formatTable(
      ['code', 'status', 'text'],
      Object.entries(refusals).map(([code, { status, text }]) => [
        `\`${code}\``,
        `${status}`,
        text,
      ]),
    ),
  ].join('\n\n')}\n`
}

function formatCall({
  path,
  method,
  call,
}: {
  path: string
  method: string
  call: DocumentedCall
}) {
  const { summary, description, requestBody, responses } = call
  // Those in the path are seen there.
  const parameters = (call.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema, description: about = '' }) => [`\`${name}\``, formatType(schema), about])
  const [bodyType, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const specific = call['x-refusals']
  return [
    `### ${method} ${path}`,
    [summary, description].filter(Boolean).join(' '),
    `For ${formatCaller(call)}.`,
    ...(parameters.length > 0 ? [formatTable(['parameter', 'type', ''], parameters)] : []),
    ...(requestBody
      ? [
          `Body${requestBody.required ? '' : ' (may be left out)'}: ${body?.schema ? 'JSON.' : `${bodyType}.`}`,
          ...(body?.schema ? [formatFields(body.schema)] : []),
        ]
      : []),
    ...formatAnswers(responses),
    ...(specific.length > 0
      ? [
          `Refusals: ${specific.map((code) => `\`${code}\` (${refusals[code].status})`).join(', ')}.`,
        ]
      : []),
    formatCurl(method, path, call, body?.example),
  ].filter((part) => part !== '')
}

function formatCaller({ security, responses }: DocumentedCall): string {
  const [scheme] = Object.keys(security[0] ?? {})
  if (scheme === 'admin') return 'logged-in admins'
  if (scheme === 'buyer') return 'the browser that opened the payment'
  return '404' in responses && JSON.stringify(responses['404']).includes('call-missing')
    ? 'anyone, on the main address'
    : 'anyone'
}

function formatAnswers(responses: DocumentedCall['responses']): string[] {
  const lines = Object.entries(responses).flatMap(([status, response]) => {
    if ('$ref' in response) return []
    const [type, content] = Object.entries(response.content ?? {})[0] ?? []
    const shown = content?.schema ? formatType(content.schema) : (type ?? 'nothing')
    const headers = Object.entries(response.headers ?? {}).map(
      ([name, header]) => ` Header \`${name}\`: ${header.description}`,
    )
    return [`- ${status}: ${shown}.${headers.join('')}`]
  })
  return lines.length > 0 ? [`Answers:\n\n${lines.join('\n')}`] : []
}

function formatCurl(method: string, path: string, call: DocumentedCall, example: unknown): string {
  const url = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    return `$${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`
  })
  const [scheme] = Object.keys(call.security[0] ?? {})
  const cookies = scheme === 'admin' || path === apiRoutes.adminLogin ? 'cookies.txt' : 'buyer.txt'
  const setsCookie = JSON.stringify(call.responses).includes('Set-Cookie')
  const isImplied = method === 'GET' || (method === 'POST' && example !== undefined)
  const isFile = call.requestBody !== undefined && example === undefined
  return formatShell([
    [
      'curl',
      ...(scheme ? [`-b ${cookies}`] : []),
      ...(setsCookie ? [`-c ${cookies}`] : []),
      ...(isImplied || isFile ? [] : [`-X ${method}`]),
      // The address is signed, so it cannot be put together.
      ...(isFile ? ['-T picture.png "$UPLOAD_URL"'] : [`"$SHOP${url}"`]),
      ...(example === undefined ? [] : [`--json '${JSON.stringify(example)}'`]),
    ].join(' '),
  ])
}

function formatNamed([name, schema]: [string, Schema]): string[] {
  const { description = '', properties } = schema
  return [
    `### ${name}`,
    ...(description ? [description] : []),
    properties ? formatFields(schema) : `${formatType({ ...schema, description: '' })}.`,
  ]
}

/** The fields of an object, or of several that are one (`allOf`). */
function formatFields(schema: Schema): string {
  const parts = schema.allOf ?? [schema]
  const rows = parts.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).map(([name, field]) => [
      `\`${name}\`${required.includes(name) ? '' : '?'}`,
      formatType(field),
      [
        field.description ?? '',
        field.default === undefined ? '' : `Default: \`${JSON.stringify(field.default)}\``,
      ]
        .filter(Boolean)
        .join('. '),
    ]),
  )
  return rows.length > 0 ? formatTable(['field', 'type', ''], rows) : ''
}

/** More are not worth reading in a table. */
const maxShownValues = 12

function formatType(schema: Schema): string {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return `[${name}](#${anchorOf(name)})`
  }
  if (schema.const !== undefined) return formatValues([schema.const])
  if (schema.enum) return formatValues(schema.enum)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return [...new Set(options.map(formatType))].join(' or ')
  if (schema.type === 'array') return `list of ${formatType(schema.items ?? {})}`
  if (schema.type === 'object') return formatObject(schema)
  if (schema.type === 'integer' || schema.type === 'number') return formatNumber(schema)
  if (schema.type === 'string') return formatString(schema)
  return schema.type ? [schema.type].flat().join(' or ') : 'anything'
}

function formatValues(values: (string | number | boolean)[]): string {
  const shown = values
    .slice(0, maxShownValues)
    .map((value) => (value === '' ? 'empty' : `\`${String(value)}\``))
  return shown.join(', ') + (values.length > maxShownValues ? ' and others' : '')
}

function formatObject({ properties, additionalProperties, required = [] }: Schema): string {
  if (typeof additionalProperties === 'object' && !properties)
    return `object of ${formatType(additionalProperties)}`
  const fields = Object.entries(properties ?? {}).map(
    ([name, field]) => `\`${name}\`${required.includes(name) ? '' : '?'} ${formatType(field)}`,
  )
  return fields.length > 0 ? `{ ${fields.join('; ')} }` : 'object'
}

function formatNumber({ type, minimum, maximum }: Schema): string {
  const limits = [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
  ]
  return [type === 'integer' ? 'whole number' : 'number', ...limits].join(', ')
}

function formatString({ format, maxLength }: Schema): string {
  return [
    format ? `string (${format})` : 'string',
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
  ].join(', ')
}

function formatTable(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function formatShell(lines: string[]): string {
  return ['```sh', ...lines, '```'].join('\n')
}

/** As GitHub makes them of headings. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(' ', '-')
}
