import { describeError } from '#server/describe-error.ts'
import { claimDue, closeUnused, type ReadCheckout } from './ledger.ts'
import { bringEvent, settle, type CheckoutDeps } from './settle.ts'

/** A round that finds ever more to do lets others have a turn. */
const maxPerRound = 2_000

/**
 * Looks at every sale that is due, the urgent first, so that none depends on a browser or a webhook. While SumUp does not
 * answer, one look tries whether it does again. Answers how many it looked at.
 */
export async function sweep(deps: CheckoutDeps, parallelLooks = 40): Promise<number> {
  await closeUnused(deps.db)
  let looked = 0
  while (looked < maxPerRound && !deps.sumup.isOpen()) {
    const limit = deps.sumup.isOnTrial() ? 1 : parallelLooks
    const due = await claimDue(deps.db, limit)
    await Promise.all(due.map((read) => lookAgain(deps, read)))
    looked += due.length
    if (due.length < limit) break
  }
  return looked
}

/** One that fails unexpectedly is noted and comes again: the others are not its concern. */
async function lookAgain(deps: CheckoutDeps, read: ReadCheckout): Promise<void> {
  try {
    await settle(deps, read)
  } catch (error) {
    const why = describeError(error).message
    deps.log.warn(
      { err: error, checkout: read.row.id },
      'A sale could not be looked at; it will be again',
    )
    await bringEvent(deps, read, { type: 'unreachable', why }).catch(() => undefined)
  }
}
