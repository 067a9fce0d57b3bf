import fastify from 'fastify'
import { apiRoutes } from '#contract/paths.ts'

/* The baseline for the tracking call: Fastify alone, reading a body and answering without one. */
const app = fastify()
app.post(apiRoutes.track, async (_request, reply) => reply.code(204).send())
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
process.send?.('ready')
process.on('disconnect', () => process.exit(0))
