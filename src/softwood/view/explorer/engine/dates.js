// Parts of a date that are columns of their own: softwood/data/columns/moments.py.

import { MISSING } from "./reader.js";

export const DAY = 86_400_000; // milliseconds

export function partOf(days, part) {
  if (part === "hour") {
    const time = Math.round(days * DAY) % DAY;
    return (time < 0 ? time + DAY : time) / 3_600_000;
  }
  const date = new Date(Math.floor(Math.round(days * DAY * 1000) / 1000));
  return part === "weekday" ? ((date.getUTCDay() + 6) % 7) + 1 : date.getUTCMonth() + 1;
}

// A row whose dates have been moved, with the columns that are made of them.
export function withParts(columns, row) {
  return row.map((value, j) => {
    const { madeOf } = columns[j];
    if (!madeOf) return value;
    const days = row[madeOf.column];
    return days === MISSING ? MISSING : partOf(days, madeOf.part);
  });
}
