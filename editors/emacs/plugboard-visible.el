;;; plugboard-visible.el --- Nothing that servers say can hide  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Texts of servers and models may hold characters that nobody sees, or
;; that turn the order of what is read around.  Before you agree to
;; something you must see all of it, so that they are shown by their numbers.

;;; Code:

(require 'subr-x)

(defconst plugboard-visible--hidden
  (let ((ranges '((#x0 . #x8) (#xb . #x1f) (#x7f . #x9f) (#xad . #xad) (#x34f . #x34f)
                  (#x61c . #x61c) (#x115f . #x1160) (#x17b4 . #x17b5) (#x180b . #x180f)
                  (#x200b . #x200f) (#x2028 . #x202e) (#x2060 . #x206f) (#x3164 . #x3164)
                  (#xd800 . #xdfff) (#xfe00 . #xfe0f) (#xfeff . #xfeff) (#xffa0 . #xffa0)
                  (#xfff0 . #xfffb) (#x1bca0 . #x1bca3) (#x1d173 . #x1d17a)
                  (#xe0000 . #xe0fff))))
    (concat "[" (mapconcat (lambda (range) (format "%c-%c" (car range) (cdr range))) ranges "") "]"))
  "Matches what has no glyph or changes the order, but not newline and tab.")

(defconst plugboard-visible--in-emoji '(#x200d #xfe0f)
  "A joiner and a selector, which emoji are written with.")

(defun plugboard-visible (text)
  "Return TEXT, or \"\" for nil, with hidden characters shown as <U+202E>."
  (plugboard-visible--replace (or text "") (lambda (code) (format "<U+%04X>" code))))

(defun plugboard-visible-line (text)
  "Return TEXT as `plugboard-visible' does, in one line."
  (string-trim (replace-regexp-in-string "[ \t\n]+" " " (plugboard-visible text))))

(defun plugboard-visible-json (json)
  "Return JSON, a text, with hidden characters escaped; it means the same."
  (plugboard-visible--replace
   json
   (lambda (code)
     (if (< code #x10000)
         (format "\\u%04x" code)
       (let ((rest (- code #x10000)))
         (format "\\u%04x\\u%04x" (+ #xd800 (ash rest -10)) (+ #xdc00 (logand rest #x3ff))))))))

(defun plugboard-visible--replace (text shown)
  "Return TEXT with each hidden character replaced by SHOWN of its code."
  (if (not (string-match-p plugboard-visible--hidden text)) text
    (let ((before nil))
      (mapconcat
       (lambda (char)
         (prog1 (if (and (string-match-p plugboard-visible--hidden (string char))
                         ;; One after a symbol is how emoji are written; it can hide nothing.
                         (not (and (memq char plugboard-visible--in-emoji) before
                                   (memq (get-char-code-property before 'general-category) '(So Sk)))))
                    (funcall shown char)
                  (string char))
           (setq before char)))
       text ""))))

(provide 'plugboard-visible)
;;; plugboard-visible.el ends here
