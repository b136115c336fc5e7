import { Letters } from './letters.ts';
import { Prints } from './prints.ts';

/** Whether a fingerprint belongs to a phrase that everybody writes: it says nothing of where a text is from. */
export function isStockPhrase(hash: number): boolean {
  stock ??= indexOf(PHRASES);
  return stock.ends[hash & ENDS_MASK] === 1 && stock.hashes.has(hash);
}

/** By their last bits most hashes are told apart from these without a look into the set. */
interface Stock {
  readonly ends: Uint8Array;
  readonly hashes: ReadonlySet<number>;
}

const ENDS_MASK = 0xff_ff;
let stock: Stock | undefined;

function indexOf(phrases: readonly string[]): Stock {
  const hashes = hashesOf(phrases);
  const ends = new Uint8Array(ENDS_MASK + 1);
  for (const hash of hashes) ends[hash & ENDS_MASK] = 1;
  return { ends, hashes };
}

function hashesOf(phrases: readonly string[]): ReadonlySet<number> {
  const hashes = new Set<number>();
  const letters = new Letters();
  const prints = new Prints();
  for (const phrase of phrases) {
    letters.read(phrase);
    prints.read(letters.codes, letters.length);
    for (let place = 0; place < prints.length; place += 1) hashes.add(prints.hashes[place] ?? 0);
  }
  return hashes;
}

const PHRASES: readonly string[] = [
  'Please let me know if you have any questions or concerns.',
  'Please do not hesitate to contact us if you need any further information.',
  'Feel free to reach out if you have any other questions.',
  'Thank you for your time and consideration.',
  'Thank you very much for your help. I am looking forward to hearing from you.',
  'I hope this email finds you well. I hope this message finds you well.',
  'Thanks in advance. Kind regards, best regards, with best wishes,',
  'Let me know what you think. Please find attached. Please see below.',
  'You are receiving this email because you are subscribed to this list.',
  'The quick brown fox jumps over the lazy dog',
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua',
  'All rights reserved. Copyright (c)',
  'Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files',
  'THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED',
  'Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance with the License',
  'application/json; charset=utf-8 text/html; charset=utf-8 text/plain; charset=utf-8',
  'application/x-www-form-urlencoded application/octet-stream multipart/form-data',
  '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
  'Content-Type: application/json Accept: application/json Authorization: Bearer',
  'the end of the day, on the other hand, in the middle of the, at the same time as the',
  'as well as the, in order to be able to, one of the most important, in the United States of America',
  'abcdefghijklmnopqrstuvwxyz0123456789 0123456789abcdefghijklmnopqrstuvwxyz abcdefghijklmnopqrstuvwxyz',
  '00000000000000000000 aaaaaaaaaaaaaaaaaaaa xxxxxxxxxxxxxxxxxxxx 11111111111111111111',
  'undefined undefined undefined null null null null null false false false true true true true',
];
