import type { z } from 'zod'
import type { withdrawal, withdrawalReceipt } from './answers/withdrawals.ts'
import { isEuCountry } from './countries.ts'

/** The right of buyers to withdraw from a purchase (Directive 2011/83/EU), and what they state to do so. */

/** How long buyers may withdraw after the goods have arrived, and how long the shop has to pay back after that. */
export const withdrawalDays = 14

/** Who is told of the right and offered the function: buyers in the EU, all buyers (as a shop in the EU may owe it), or nobody. */
export const withdrawalScopes = ['eu', 'everyone', 'nobody'] as const
export type WithdrawalScope = (typeof withdrawalScopes)[number]
export const defaultWithdrawalScope: WithdrawalScope = 'eu'

/** Why there is no right of withdrawal for a product. */
export const withdrawalExemptions = ['personalised', 'perishable'] as const
export type WithdrawalExemption = (typeof withdrawalExemptions)[number]

/** The label of the function in English, as buyers' pages have it. */
export const withdrawLabel = 'Withdraw from contract here'

/** Ids of the dialogs in the footer of buyers' pages. */
export const withdrawalPolicyId = 'withdrawal-policy'
export const withdrawId = 'withdraw'

/** Whether who buys this in this country is told that they can withdraw. */
export function canWithdraw(
  scope: WithdrawalScope,
  { withdrawalExemption }: { withdrawalExemption?: WithdrawalExemption | null },
  country: string,
): boolean {
  if (withdrawalExemption || scope === 'nobody') return false
  return scope === 'everyone' || isEuCountry(country)
}

/** Whether an order came with the right. What was told at the sale counts; only an order made without one follows the setting. */
export function isWithdrawable(
  { product, shippingAddress }: SoldOrder,
  scope: WithdrawalScope,
): boolean {
  return product.canWithdraw ?? canWithdraw(scope, product, shippingAddress.country)
}

type SoldOrder = {
  product: { withdrawalExemption?: WithdrawalExemption | null; canWithdraw?: boolean }
  shippingAddress: { country: string }
}

/** The number in what a buyer typed: "Order no. 1042" means 1042. */
export function readOrderNumber(typed: string): string {
  const numbers = typed.match(/(?<![\da-z-])\d{4,9}(?![\da-z-])/gi) ?? []
  return numbers[0] && numbers.length === 1 ? numbers[0] : typed.replaceAll(/[^\da-z-]/gi, '')
}

/** What a buyer states. */
export const statementFields = ['name', 'orderNumber', 'email'] as const
export type WithdrawalStatement = Record<(typeof statementFields)[number], string>
export const maxStatementLengths = { name: 255, orderNumber: 40, email: 255 } as const

/** Of the statements that wait for the owner. */
export const withdrawalPageSize = 50

/** The answer to a statement, whatever it is about. */
export type WithdrawalReceipt = z.infer<typeof withdrawalReceipt>

export const acknowledgementStates = ['waiting', 'sent', 'not-sent', 'unknown'] as const

/** A statement as admins see it. */
export type Withdrawal = z.infer<typeof withdrawal>
