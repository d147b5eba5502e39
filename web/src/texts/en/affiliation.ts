export const affiliation = {
  title: 'Invite friends',
  offer: (share: string) => `You receive ${share} of what people pay who come through your link.`,
  first: 'Their first payment counts.',
  recurring: 'All their payments count.',
  months: (count: number) =>
    count === 1
      ? 'Their payments of the first month count.'
      : `Their payments of the first ${count} months count.`,
  hold: (days: number) =>
    days === 0
      ? 'Commission can be used from the payment on.'
      : `Commission can be used ${days} ${days === 1 ? 'day' : 'days'} after the payment.`,
  closed: 'The programme is closed',
  closedText: 'New participants are not accepted at the moment.',
  join: 'Take part',
  joinTitle: 'Recommend us and earn credit',
  yourLink: 'Your link',
  suspended: 'Your participation is suspended. Contact support.',
  clicks: 'Clicks',
  clicksText: (total: string, recent: string) => `${total}, of which ${recent} in the last 30 days`,
  referrals: 'Referrals',
  pending: 'Pending',
  available: 'Available',
  converted: 'Converted',
  convert: 'Convert into credit',
  convertText: (minimum: string) => `From ${minimum} on, you can convert it into credit.`,
  convertedNow: 'Your commission is credit now',
  progress: 'Progress to the minimum',
  commissions: 'Commissions',
  noCommissions: 'No commission yet. It appears when somebody pays who came through your link.',
  status: { pending: 'Pending', available: 'Available', reversed: 'Reversed' },
  statusHead: 'Status',
  date: 'Date',
  amount: 'Amount',
  usableFrom: 'Usable from',
}
