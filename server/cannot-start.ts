/** A reason not to start that the owner can fix. main.ts prints its message without a stack and exits with 1. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart'
}

/** Of a database or backup whose schema has no way to the one of 1.0. Nothing in it is touched. */
export const madeBeforeFirstRelease =
  'This was made by a Till before 1.0. Keep it with the program that made it; start this one with an empty DATA_DIR or database.'
