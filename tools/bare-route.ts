import fastify from 'fastify'
import { apiRoutes } from '#contract/paths.ts'

/* What Fastify alone does with a body that it reads and an answer without one, to measure our own call against. */
const app = fastify()
app.post(apiRoutes.track, async (_request, reply) => reply.code(204).send())
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
process.send?.('ready')
process.on('disconnect', () => process.exit(0))
