/** What a call says back, before any fault touches it. */
export type Answer = {
  status: number
  body?: unknown
  type?: 'application/json' | 'application/problem+json' | 'text/html'
  headers?: Record<string, string>
}

/** A "no" of the API, with its whole answer. */
export class Refused extends Error {
  readonly answer: Answer
  constructor(answer: Answer) {
    super(`Refused with ${answer.status}: ${answerText(answer)}`)
    this.answer = answer
  }
}

export const answerText = ({ body }: Answer): string =>
  body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)

export const answerType = ({ type = 'application/json' }: Answer): string =>
  `${type}; charset=utf-8`
