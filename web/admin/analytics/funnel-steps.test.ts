import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnalyticsSummary } from '#contract/analytics.ts'
import { funnelSteps } from './funnel-steps.ts'

function listSteps(counts: Partial<AnalyticsSummary>) {
  return funnelSteps(counts as AnalyticsSummary).map(({ name, count, percent, ofPrevious }) => [
    name,
    count,
    percent,
    ofPrevious,
  ])
}

test('each step has its share of all views and of the step before', () => {
  assert.deepEqual(listSteps({ views: 200, started: 50, orders: 25, thanked: 20 }), [
    ['Views', 200, 100, undefined],
    ['Payment started', 50, 25, undefined],
    ['Paid', 25, 12.5, '50.0% of the step before'],
    ['Thank-you', 20, 10, '80.0% of the step before'],
  ])
})

test('without views there is no share of views', () => {
  assert.deepEqual(listSteps({ views: 0, started: 3, orders: 3, thanked: 0 }), [
    ['Views', 0, undefined, undefined],
    ['Payment started', 3, undefined, undefined],
    ['Paid', 3, undefined, '100.0% of the step before'],
    ['Thank-you', 0, undefined, '0.0% of the step before'],
  ])
})

test('a visitor who viewed yesterday and paid today makes no share above 100', () => {
  assert.deepEqual(listSteps({ views: 1, started: 0, orders: 2, thanked: 0 }), [
    ['Views', 1, 100, undefined],
    ['Payment started', 0, 0, undefined],
    ['Paid', 2, 100, undefined],
    ['Thank-you', 0, 0, '0.0% of the step before'],
  ])
})

test('a completion that a program reports in test mode is not paid', () => {
  const counts = { views: 10, started: 5, completed: 7, orders: 4, thanked: 2 }
  assert.deepEqual(listSteps(counts)[2], ['Paid', 4, 40, '80.0% of the step before'])
})
