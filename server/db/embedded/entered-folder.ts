/**
 * How a child that was started inside `folder` names it. By way of /proc it needs no right to pass through the
 * folders above (DATA_DIR may lie below one that only root may enter), and no path is too long for a socket.
 */
export function enteredFolder(folder: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : folder
}
