import { once } from 'node:events'
import fastify from 'fastify'
import type { BareAnswer } from '#tools/bench/load.ts'

/* The limit beside our figures: Fastify alone, answering reads with given bytes. */
process.on('disconnect', () => process.exit(0))
const [{ port, headers, body }] = (await once(process, 'message')) as [
  BareAnswer & { port: number },
]
const bytes = Buffer.from(body, 'base64')
const app = fastify()
app.get('*', (_request, reply) => reply.headers(headers).send(bytes))
await app.listen({ port, host: '127.0.0.1' })
process.send?.('ready')
