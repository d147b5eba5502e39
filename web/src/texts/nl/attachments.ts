export const attachments = {
  attach: 'Bestanden bijvoegen',
  hint: (count: number, size: string) =>
    `Maximaal ${count} bestanden van elk ${size}. Je kunt bestanden ook hierheen slepen of een schermafbeelding plakken.`,
  list: 'Bestanden van dit bericht',
  shown: 'Bijgevoegde bestanden',
  sending: 'Wordt geüpload',
  stored: 'Geüpload',
  tooLarge: (size: string) => `Groter dan ${size}`,
  retry: (name: string) => `${name} opnieuw uploaden`,
  remove: (name: string) => `${name} verwijderen`,
  tooMany: (count: number) => `Een bericht heeft maximaal ${count} bestanden.`,
  tooHeavy: (size: string) =>
    `De bestanden van een bericht mogen samen maximaal ${size} groot zijn.`,
  blocked: 'Downloaden is niet mogelijk: bestanden van dit type kunnen programma’s uitvoeren.',
  willBlock: 'De ontvanger kan bestanden van dit type niet downloaden. Zet het in een archief.',
  open: 'Openen:',
  download: 'Downloaden:',
  progress: (done: number, all: number) => `${done} van ${all} bestanden geüpload`,
}
