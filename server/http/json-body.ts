import type { FastifyInstance } from 'fastify'
import { Refusal } from '#contract/refusals.ts'

/** Deeper than any body of ours; a body that nests further is an attack on whoever reads it. */
const deepest = 16

/** Keys that would reach an object's prototype instead of the object. */
const poisonedKeys = new Set(['__proto__', 'constructor', 'prototype'])

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** JSON is the only body the shop takes, read strictly: what is inside is text a database can keep. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) =>
      body.length === 0 ? undefined : parseStrictly(body),
  )
}

function parseStrictly(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(strictUtf8.decode(body))
    checkReadable(value)
    return value
  } catch (cause) {
    throw cause instanceof Refusal ? cause : new Refusal('body-unreadable', { cause })
  }
}

/** Refuses what JSON allows and PostgreSQL or our code cannot hold: NUL, half characters, poisoned keys. */
export function checkReadable(value: unknown): void {
  const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value: part, depth } = next
    if (typeof part === 'string' && !isReadable(part)) throw new Refusal('body-unreadable')
    if (typeof part !== 'object' || part === null) continue
    if (depth >= deepest) throw new Refusal('body-unreadable')
    for (const [key, inner] of Object.entries(part)) {
      if (poisonedKeys.has(key) || !isReadable(key)) throw new Refusal('body-unreadable')
      open.push({ value: inner, depth: depth + 1 })
    }
  }
}

function isReadable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
