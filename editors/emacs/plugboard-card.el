;;; plugboard-card.el --- What you see before you agree  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; The card of one call that waits: who asks, which server, account and
;; tool, the risk, every argument, and what would change.

;;; Code:

(require 'diff-mode)
(require 'json)
(require 'subr-x)
(require 'plugboard-address)
(require 'plugboard-visible)

(defface plugboard-risk '((t :inherit warning :weight bold))
  "Face of a risk that isn't read-only."
  :group 'plugboard)

(defface plugboard-heading '((t :inherit bold))
  "Face of labels in Plugboard's buffers."
  :group 'plugboard)

(defun plugboard-card-tool (approval)
  "Return the server and tool of APPROVAL as text."
  (plugboard-visible-line (format "%s/%s" (plist-get approval :server) (plist-get approval :tool))))

(defun plugboard-card-insert (approval count)
  "Insert the card of APPROVAL, one of COUNT that wait."
  (let ((risk (or (plugboard-get approval :risk) "unknown")))
    (insert (propertize (format "%s needs your approval" (plugboard-card-tool approval))
                        'face 'plugboard-heading)
            (if (> count 1) (format "   (%d waiting)" count) "") "\n\n")
    (plugboard-card--field "Server" (plist-get approval :server))
    (plugboard-card--field "Account" (or (plugboard-get approval :account) "none"))
    (plugboard-card--field "Tool" (plist-get approval :tool))
    (plugboard-card--field "Risk" (if (equal risk "read") "read-only"
                                    (propertize risk 'face 'plugboard-risk)))
    (plugboard-card--field "Asked by" (or (plugboard-get approval :requester :name)
                                          (plugboard-get approval :requester :kind)))
    (plugboard-card--field "Why" (or (plugboard-get approval :decision :reason) ""))
    (dolist (flag (plugboard-each (plugboard-get approval :flags)))
      (plugboard-card--field "Warning" (propertize (or (plugboard-get flag :detail) "flagged")
                                                   'face 'plugboard-risk)))
    (insert "\n" (propertize "Arguments" 'face 'plugboard-heading) "\n"
            (plugboard-card-json (plist-get approval :args)) "\n")
    (plugboard-card--insert-changes approval)
    (plugboard-card--insert-preview approval)))

(defun plugboard-card--field (label text)
  "Insert a line with LABEL and TEXT."
  (insert (propertize (format "%-9s" label) 'face 'plugboard-heading) " " (plugboard-visible text) "\n"))

(defun plugboard-card-json (args)
  "Return ARGS as indented JSON."
  (with-temp-buffer
    (insert (plugboard-json args))
    (ignore-errors (json-pretty-print-buffer))
    (plugboard-visible-json (buffer-string))))

(defun plugboard-card--insert-changes (approval)
  "Insert what differs from the last approved call of the tool of APPROVAL."
  (when-let ((changes (plugboard-each (plugboard-get approval :changes))))
    (insert "\n" (propertize "Changed since the last approved call" 'face 'plugboard-heading) "\n")
    (dolist (change changes)
      (dolist (side '((:before "-" diff-removed) (:after "+" diff-added)))
        (when (plist-member change (car side))
          (insert (propertize (format "%s %s: %s\n" (nth 1 side) (plugboard-visible (plist-get change :path))
                                      (plugboard-visible-json
                                       (plugboard-json (plist-get change (car side)))))
                              'face (nth 2 side))))))))

(defun plugboard-card--insert-preview (approval)
  "Insert the preview of APPROVAL: a diff, or the text that it would write."
  (when-let ((preview (plugboard-get approval :preview)))
    (insert "\n" (propertize (plugboard-visible (or (plugboard-get preview :path) "Preview"))
                             'face 'plugboard-heading)
            "\n")
    (let ((diff (plugboard-get preview :isDiff)))
      (dolist (line (split-string (plugboard-visible (plugboard-get preview :text)) "\n"))
        ;; The two names of the file stand before the first part.
        (when (string-prefix-p "@@" line) (setq diff 'parts))
        (insert (propertize line 'face (plugboard-card--face line diff)) "\n")))))

(defun plugboard-card--face (line diff)
  "Return the face of LINE of a preview.
DIFF is nil if it is none, and `parts' after the names of the file."
  (cond ((null diff) 'default)
        ((not (eq diff 'parts)) 'diff-header)
        ((string-prefix-p "@@" line) 'diff-hunk-header)
        ((string-prefix-p "+" line) 'diff-added)
        ((string-prefix-p "-" line) 'diff-removed)
        (t 'diff-context)))

(defun plugboard-card-keys (approval)
  "Return the keys for APPROVAL in one line."
  (let ((offers (plugboard-each (plugboard-get approval :offers))))
    (concat " y allow"
            (if (member "session" offers) " · s session" "")
            (if (member "tool" offers) " · a always" "")
            " · n deny · N note · e edit · ] next · q close")))

(provide 'plugboard-card)
;;; plugboard-card.el ends here
