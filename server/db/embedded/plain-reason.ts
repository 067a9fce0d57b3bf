/** What the operating system or PostgreSQL complained of, in words that say what to mend. */
export function plainReason(problem: unknown): string {
  const { code } = problem as NodeJS.ErrnoException
  const words = problem instanceof Error ? problem.message : String(problem)
  if (code === 'ENOSPC' || /No space left on device/.test(words)) return 'the disk is full'
  if (code === 'EDQUOT' || /Disk quota exceeded/.test(words)) return 'the disk quota is used up'
  if (code === 'EROFS' || /Read-only file system/.test(words)) return 'the disk is read-only'
  if (code === 'EACCES' || code === 'EPERM') return 'this user may not write there'
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'there is a file where a folder is needed'
  return words
}
