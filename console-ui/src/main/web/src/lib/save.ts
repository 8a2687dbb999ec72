// SPDX-License-Identifier: Apache-2.0
/** What a chart or a table shows, as a file. */

/** A cell of CSV, by RFC 4180; one that a spreadsheet would take for a formula is quoted as a text. */
export function cell(value: string | number | null): string {
  if (value === null) {
    return '';
  }
  if (typeof value === 'number') {
    return Number.isFinite(value) ? String(value) : '';
  }
  const safe = /^[=+@\t\r]|^-(?!\d+(\.\d+)?$)/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csv = (rows: (string | number | null)[][]): string => rows.map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n';

/** A name for a file: what it shows and when, without anything a file system would not take. */
export const fileName = (title: string, ending: string, now: Date): string =>
  `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')}-${now.toISOString().slice(0, 19).replaceAll(':', '')}.${ending}`;

/** Has the browser keep a file. */
export function save(name: string, content: Blob) {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export const saveCsv = (title: string, rows: (string | number | null)[][]) => save(fileName(title, 'csv', new Date()), new Blob([csv(rows)], { type: 'text/csv;charset=utf-8' }));

/** A chart with its title and legend over it, on the page's own ground. */
export function savePng(title: string, chart: HTMLCanvasElement, legend: { label: string; color: string }[]) {
  const ratio = window.devicePixelRatio || 1;
  const style = getComputedStyle(chart);
  const color = (name: string) => style.getPropertyValue(name).trim() || '#888';
  const head = 28;
  const whole = document.createElement('canvas');
  whole.width = chart.width;
  whole.height = chart.height + head * ratio;
  const pen = whole.getContext('2d');
  if (!pen) {
    return;
  }
  pen.fillStyle = color('--bg');
  pen.fillRect(0, 0, whole.width, whole.height);
  pen.drawImage(chart, 0, head * ratio);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.textBaseline = 'middle';
  pen.fillStyle = color('--text');
  pen.font = `600 13px ${style.fontFamily}`;
  pen.fillText(title, 8, head / 2);
  let x = 24 + pen.measureText(title).width;
  pen.font = `12px ${style.fontFamily}`;
  for (const item of legend) {
    pen.fillStyle = color(item.color);
    pen.fillRect(x, head / 2 - 5, 10, 10);
    pen.fillStyle = color('--muted');
    pen.fillText(item.label, x + 15, head / 2);
    x += 30 + pen.measureText(item.label).width;
  }
  whole.toBlob((file) => file && save(fileName(title, 'png', new Date()), file));
}
