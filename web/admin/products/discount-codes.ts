import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

import type { DiscountChange, DiscountCode, NewDiscount } from '#contract/discounts.ts'
import { formatMoney, toCents } from '#contract/money.ts'
import { apiRoutes, codeParameter, pages, pathOf } from '#contract/paths.ts'
import type { Product } from '#contract/products.ts'
import { formatDate } from '#web/admin/dates.ts'
import { callServer, isUnauthorized, refusalText } from '#web/api.ts'
import { toast } from '#web/ui/use-toast.ts'

import { discountsView } from './product-list.ts'

const codesKey = [apiRoutes.discountCodes]

/** The codes are a dialog over the products, with its place in their address: Back closes it. */
export function useDiscountsView() {
  const params = new URLSearchParams(useSearch())

  function go(isOpen: boolean, options: { replace?: boolean; state: object | null }): void {
    if (isOpen) params.set(discountsView.parameter, discountsView.value)
    else params.delete(discountsView.parameter)
    navigate(`${pages.products}${params.size > 0 ? `?${params}` : ''}`, options)
  }

  return {
    isOpen: params.get(discountsView.parameter) === discountsView.value,
    open: () => go(true, { state: { ...history.state, isOpenedHere: true } }),
    /** Goes back if it was opened from the list; after following a link, stays on the list. */
    close: () => {
      const state = history.state as { isOpenedHere?: true } | null
      if (state?.isOpenedHere) history.back()
      else go(false, { replace: true, state })
    },
  }
}

export function useDiscountCodes() {
  return useQuery<DiscountCode[]>({ queryKey: codesKey })
}

/** Adds a code, or changes limit and end of the given one. */
export function useSaveCode(code: DiscountCode | undefined, onSaved: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ maxUses, lastDay, ...content }: NewDiscount) => {
      const change: DiscountChange = { maxUses, lastDay }
      return code
        ? callServer('PUT', pathOf(apiRoutes.discountCode, { id: code.id }), change)
        : callServer('POST', apiRoutes.discountCodes, { ...content, ...change })
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: codesKey })
      toast({ title: code ? 'Code changed' : 'Code added' })
      onSaved()
    },
  })
}

export function useDeleteCode(onDeleted: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: DiscountCode) =>
      callServer('DELETE', pathOf(apiRoutes.discountCode, { id })),
    onSuccess: () => toast({ title: 'Code deleted' }),
    onError: (error) => {
      if (isUnauthorized(error)) return
      const description = refusalText(error) ?? 'Failed to delete the code. Please try again.'
      toast({ title: 'Error', description, variant: 'destructive' })
    },
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: codesKey })
      onDeleted()
    },
  })
}

export function withCode(link: string, code: string): string {
  return `${link}?${new URLSearchParams({ [codeParameter]: code })}`
}

/** Whether a code that counts makes this product cheaper. One that is worth as much, or more, takes nothing off. */
export function makesCheaper(
  { productId, amount }: Pick<DiscountCode, 'productId' | 'amount'>,
  { id, price }: Pick<Product, 'id' | 'price'>,
): boolean {
  return (productId ?? id) === id && (amount === null || toCents(amount) < toCents(price))
}

/** Codes that make this product cheaper now. */
export function codesFor(
  codes: DiscountCode[],
  product: Pick<Product, 'id' | 'price'>,
): DiscountCode[] {
  return codes.filter((code) => code.state === 'active' && makesCheaper(code, product))
}

/** '10 % off' or '€5.00 off'; without a currency where buyers pay in that of each product. */
export function describeDiscount(
  { percent, amount }: Pick<DiscountCode, 'percent' | 'amount'>,
  currency: string | undefined,
): string {
  if (percent !== null) return `${percent} % off`
  return `${currency ? formatMoney(amount ?? '0', currency) : amount} off`
}

/** 'Used 3 of 100 times, €14.70 taken off, 2 tests' */
export function describeUses({ uses, testUses, maxUses }: DiscountCode): string {
  const limit = maxUses === null ? '' : ` of ${maxUses.toLocaleString('en')}`
  const used =
    uses.orders === 0 && maxUses === null
      ? 'Not used yet'
      : `Used ${uses.orders.toLocaleString('en')}${limit} ${(maxUses ?? uses.orders) === 1 ? 'time' : 'times'}`
  const off = uses.takenOff.map(({ amount, currency }) => formatMoney(amount, currency))
  const tests = testUses.orders
  return [
    used,
    off.length > 0 && `${off.join(' and ')} taken off`,
    tests > 0 && `${tests.toLocaleString('en')} ${tests === 1 ? 'test' : 'tests'}`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** A day is one in the time zone of the shop: no other zone moves it. */
export function formatLastDay(day: string): string {
  return formatDate(`${day}T12:00:00Z`, utcDays).day
}

const utcDays = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
})

export const stateLabels: Record<DiscountCode['state'], string> = {
  active: 'Active',
  ended: 'Ended',
  'used-up': 'Used up',
}
