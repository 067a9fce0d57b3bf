/**
 * Characters that nobody sees and that turn the text after them around, also what follows the name on a page or an
 * order. They come along with what is pasted, so they are dropped without a word. Marks such as U+200F stay: they only
 * say how the text beside them reads.
 */
const turningCharacters = /[\u202A-\u202E\u2066-\u2069]/g

export function dropTurningCharacters(text: string): string {
  return text.replaceAll(turningCharacters, '')
}
