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
    (_request: unknown, body: Buffer, done) => {
      const read = body.length === 0 ? undefined : readOrRefuse(body)
      if (read instanceof Refusal) done(read)
      else done(null, read)
    },
  )
}

function readOrRefuse(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(strictUtf8.decode(body))
    checkReadable(value)
    return value
  } catch (cause) {
    return cause instanceof Refusal ? cause : new Refusal('body-unreadable', { cause })
  }
}

/** Refuses what JSON allows and PostgreSQL or our code cannot hold: NUL, half characters, poisoned keys. */
export function checkReadable(value: unknown, depth = 0): void {
  if (typeof value === 'string' && !isReadable(value)) throw new Refusal('body-unreadable')
  if (typeof value !== 'object' || value === null) return
  if (depth >= deepest) throw new Refusal('body-unreadable')
  for (const key of Object.keys(value)) {
    if (poisonedKeys.has(key) || !isReadable(key)) throw new Refusal('body-unreadable')
    checkReadable(value[key as keyof typeof value], depth + 1)
  }
}

function isReadable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
