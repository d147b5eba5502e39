/**
 * How long a stand-in keeps an idle connection open: longer than any client waits before it uses one again. With
 * Node's own five seconds a server on a busy machine closes a connection just when a client sends on it.
 */
export const KEEP_ALIVE_MS = 72_000
