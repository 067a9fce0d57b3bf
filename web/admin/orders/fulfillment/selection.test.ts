import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  boxState,
  clickRow,
  marksOf,
  nothingSelected,
  selectAll,
  withoutOrders,
} from './selection.ts'

const listed = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, status: 'pending' as const }))
const click = (id: string, previousId?: string, isShift = false) => ({ id, previousId, isShift })
const idsOf = (selection: ReadonlyMap<string, unknown>) => [...selection.keys()].toSorted().join('')

test('a click selects a row, another one lets it go', () => {
  const one = clickRow(nothingSelected, listed, click('b'))
  assert.equal(idsOf(one), 'b')
  assert.equal(idsOf(clickRow(one, listed, click('b', 'b'))), '')
})

test('Shift reaches from the row before, up or down', () => {
  const one = clickRow(nothingSelected, listed, click('d'))
  assert.equal(idsOf(clickRow(one, listed, click('b', 'd', true))), 'bcd')
  assert.equal(idsOf(clickRow(one, listed, click('e', 'd', true))), 'de')
})

test('Shift on a selected row lets all in between go', () => {
  const all = selectAll(listed)
  assert.equal(idsOf(clickRow(all, listed, click('d', 'b', true))), 'ae')
})

test('Shift without a row before, or with one that has left the list, is a plain click', () => {
  assert.equal(idsOf(clickRow(nothingSelected, listed, click('c', undefined, true))), 'c')
  assert.equal(idsOf(clickRow(nothingSelected, listed, click('c', 'gone', true))), 'c')
})

test('the box above is empty, half full or full', () => {
  const one = clickRow(nothingSelected, listed, click('b'))
  assert.equal(boxState(nothingSelected, 5), 'none')
  assert.equal(boxState(nothingSelected, 0), 'none')
  assert.equal(boxState(one, 5), 'some')
  assert.equal(boxState(selectAll(listed), 5), 'all')
})

test('what is changed is what is known now, also for orders that are not loaded', () => {
  const selection = selectAll([...listed, { id: 'far', status: 'shipped' }])
  const now = listed.map((order) =>
    order.id === 'a' ? { ...order, status: 'completed' as const } : order,
  )
  const marks = new Map(marksOf(selection, now).map(({ id, status }) => [id, status]))
  assert.equal(marks.get('a'), 'completed')
  assert.equal(marks.get('b'), 'pending')
  assert.equal(marks.get('far'), 'shipped')
})

test('what is done leaves the selection', () => {
  assert.equal(idsOf(withoutOrders(selectAll(listed), listed.slice(0, 3))), 'de')
})
