import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createChanges,
  deselect,
  emptySelection,
  formatSelectAll,
  getSelectAllState,
  selectAll,
  toggleRow,
} from './selection.ts'

const listed = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, status: 'pending' as const }))
const click = (id: string, previousId?: string, isShift = false) => ({ id, previousId, isShift })
const idsOf = (selected: ReadonlyMap<string, unknown>) => [...selected.keys()].toSorted().join('')

test('a click selects a row, another one deselects it', () => {
  const one = toggleRow(emptySelection, listed, click('b'))
  assert.equal(idsOf(one), 'b')
  assert.equal(idsOf(toggleRow(one, listed, click('b', 'b'))), '')
})

test('Shift selects from the previous row, up or down', () => {
  const one = toggleRow(emptySelection, listed, click('d'))
  assert.equal(idsOf(toggleRow(one, listed, click('b', 'd', true))), 'bcd')
  assert.equal(idsOf(toggleRow(one, listed, click('e', 'd', true))), 'de')
})

test('Shift on a selected row deselects all in between', () => {
  const all = selectAll(listed)
  assert.equal(idsOf(toggleRow(all, listed, click('d', 'b', true))), 'ae')
})

test('Shift without a previous row, or with one that has left the list, is a plain click', () => {
  assert.equal(idsOf(toggleRow(emptySelection, listed, click('c', undefined, true))), 'c')
  assert.equal(idsOf(toggleRow(emptySelection, listed, click('c', 'gone', true))), 'c')
})

test('the checkbox above the list is empty, indeterminate or checked', () => {
  const one = toggleRow(emptySelection, listed, click('b'))
  assert.equal(getSelectAllState(emptySelection, 5), 'none')
  assert.equal(getSelectAllState(emptySelection, 0), 'none')
  assert.equal(getSelectAllState(one, 5), 'some')
  assert.equal(getSelectAllState(selectAll(listed), 5), 'all')
  assert.equal(getSelectAllState(selectAll(listed)), 'some')
})

test('select all says how many orders there are, if that is known', () => {
  assert.equal(formatSelectAll(1204), 'Select all 1,204')
  assert.equal(formatSelectAll(undefined), 'Select all')
})

test('an order changes from the status it has now; one that is not loaded, from when it was selected', () => {
  const selected = selectAll([...listed.slice(0, 2), { id: 'far', status: 'shipped' }])
  const now = listed.map((order) =>
    order.id === 'a' ? { ...order, status: 'processing' as const } : order,
  )
  assert.deepEqual(createChanges(selected, now, 'completed'), [
    { id: 'a', from: 'processing', to: 'completed' },
    { id: 'b', from: 'pending', to: 'completed' },
    { id: 'far', from: 'shipped', to: 'completed' },
  ])
})

test('changed orders leave the selection', () => {
  assert.equal(idsOf(deselect(selectAll(listed), listed.slice(0, 3))), 'de')
})
