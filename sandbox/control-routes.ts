import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Desk } from './desk.ts'
import { requireKey } from './door.ts'
import { faultPlanSchema } from './faults/fault-rules.ts'
import { isLoopbackAddress, isLoopbackHost } from './loopback.ts'
import { sendAnswer } from './operation.ts'
import { problem } from './refusals.ts'

/** For proofs in other processes: the faults and the books. SumUp has nothing of the kind. */
export function mountControls(app: FastifyInstance, desk: Desk): void {
  const preHandler = [requireThisMachine, requireKey(desk)]

  app.get('/sandbox/faults', { preHandler }, (_request, reply) =>
    sendAnswer(reply, { status: 200, body: desk.faults.report() }),
  )
  app.post('/sandbox/faults', { preHandler }, ({ body }, reply) => {
    const plan = faultPlanSchema.safeParse(body)
    if (!plan.success) {
      const message = plan.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
      return sendAnswer(reply, { status: 400, body: { ...invalidPlan, message } })
    }
    return sendAnswer(reply, { status: 200, body: desk.faults.set(plan.data) })
  })
  app.delete('/sandbox/faults', { preHandler }, (_request, reply) => {
    desk.faults.clear()
    return sendAnswer(reply, { status: 204 })
  })
  app.get('/sandbox/ledger', { preHandler }, (_request, reply) =>
    sendAnswer(reply, { status: 200, body: readBooks(desk) }),
  )
}

/** Everything that was created and paid, as kept: money in minor units, times in milliseconds. */
export function readBooks({ ledger }: Pick<Desk, 'ledger'>) {
  const checkouts = structuredClone(ledger.checkouts())
  return {
    checkouts,
    transactions: checkouts.flatMap(({ id, reference, transactions }) =>
      transactions.map((transaction) => ({ checkoutId: id, reference, ...transaction })),
    ),
    deliveries: structuredClone(ledger.deliveries()),
  }
}

const invalidPlan = { error_code: 'INVALID' }

/** A proxy in front would make every caller look local: what came through one is refused. */
async function requireThisMachine({ socket, headers, hostname }: FastifyRequest): Promise<void> {
  const forwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  const local = isLoopbackAddress(socket.remoteAddress) && isLoopbackHost(hostname)
  if (forwarded || !local) throw problem(403, 'forbidden', 'Forbidden', 'From this machine only')
}
