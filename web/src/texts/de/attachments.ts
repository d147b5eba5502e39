export const attachments = {
  attach: 'Dateien anhängen',
  hint: (count: number, size: string) =>
    `Bis zu ${count} Dateien mit je ${size}. Du kannst Dateien auch hier ablegen oder einen Screenshot einfügen.`,
  list: 'Dateien dieser Nachricht',
  shown: 'Angehängte Dateien',
  sending: 'Wird hochgeladen',
  stored: 'Hochgeladen',
  tooLarge: (size: string) => `Größer als ${size}`,
  retry: (name: string) => `${name} erneut hochladen`,
  remove: (name: string) => `${name} entfernen`,
  tooMany: (count: number) => `Eine Nachricht hat höchstens ${count} Dateien.`,
  tooHeavy: (size: string) =>
    `Die Dateien einer Nachricht dürfen zusammen höchstens ${size} groß sein.`,
  blocked: 'Herunterladen nicht möglich: Dateien dieser Art können Programme ausführen.',
  willBlock: 'Dateien dieser Art kann der Empfänger nicht herunterladen. Packe sie in ein Archiv.',
  open: 'Öffnen:',
  download: 'Herunterladen:',
  progress: (done: number, all: number) => `${done} von ${all} Dateien hochgeladen`,
}
