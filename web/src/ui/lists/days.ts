const MOST_DAYS = 366

/** Whether a text is a number of days that can be given. */
export function isDays(text: string): boolean {
  return /^[1-9]\d{0,2}$/.test(text) && Number(text) <= MOST_DAYS
}
