import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { apiRoutes } from '#contract/paths.ts'
import { Refusal } from '#contract/refusals.ts'
import { decrypt, encrypt } from '#server/secret.ts'
import { callsOf } from './calls.ts'
import { plainAddress } from './client-address.ts'
import { hasMoreHops, type Proxies } from './proxies.ts'

const seenSchema = z.object({
  /** Whose connection it is. */
  peer: z.string(),
  isTrusted: z.boolean(),
  hasForwardedFor: z.boolean(),
  /** X-Forwarded-For names more proxies than are trusted. */
  hasMoreHops: z.boolean(),
  protocol: z.string(),
})

/** How a request arrived. One that the shop sends itself tells best what a proxy in between does: it makes up no header. */
export type Seen = z.infer<typeof seenSchema>

export const selfCheckHeader = 'x-till-self-check'
const challengePattern = /^[0-9a-f]{32}$/

/** A random number and no secret: it is sent to an address that may be anybody's. */
export function createChallenge(): string {
  return randomBytes(16).toString('hex')
}

/** Only a shop with the same secret can answer a challenge, and only who has the secret can read the answer. */
const selfCheckAnswer = z.object({ sealed: z.string() })

/** Undefined unless the shop itself answered, and to this challenge. */
export function openSelfCheck(secret: string, challenge: string, body: string): Seen | undefined {
  const answer = selfCheckAnswer.safeParse(parseJson(body))
  if (!answer.success) return undefined
  const text = decrypt(secret, sealedFor(challenge), answer.data.sealed)
  return text === undefined ? undefined : seenSchema.parse(JSON.parse(text))
}

export function describeArrival(
  { isTrusted }: Pick<Proxies, 'isTrusted'>,
  request: FastifyRequest,
): Seen {
  const { headers, socket, protocol } = request
  return {
    peer: plainAddress(socket.remoteAddress ?? ''),
    isTrusted: isTrusted(socket.remoteAddress, 0),
    hasForwardedFor: headers['x-forwarded-for'] !== undefined,
    hasMoreHops: hasMoreHops(request),
    protocol,
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function sealedFor(challenge: string) {
  return { purpose: 'self-check', owner: challenge }
}

const call = callsOf<{ secret: string; proxies: Pick<Proxies, 'isTrusted'> }>(
  'Monitoring',
  'backoffice',
)

export const selfCheckCalls = [
  call(`GET ${apiRoutes.selfCheck}`, {
    summary: 'Tells `npm run doctor` how the shop sees its request.',
    note: 'The answer is encrypted with the secret of the shop, so that nobody else can read it. Without a challenge there is no such call.',
    answers: { 200: selfCheckAnswer },
    handle({ secret, proxies }, { request }) {
      const challenge = request.headers[selfCheckHeader]
      if (typeof challenge !== 'string' || !challengePattern.test(challenge))
        throw new Refusal('call-missing')
      const seen = describeArrival(proxies, request)
      return { sealed: encrypt(secret, sealedFor(challenge), JSON.stringify(seen)) }
    },
  }),
]

/** The start of a body, however long it is: whoever is asked may never stop sending. */
export async function readStart(response: Response, maxBytes = 10_000): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= maxBytes) break
  }
  return Buffer.concat(chunks).toString('utf8', 0, maxBytes)
}
