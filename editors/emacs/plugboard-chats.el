;;; plugboard-chats.el --- Which tools are active, and where  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; The default of `gptel-tools', and the list that a chat may have of its
;; own.  New tools become active where all of ours are; a choice that was
;; made by hand stays.  A tool that goes for a while, because its server has
;; failed, comes back where it was.  When there are too many tools for a
;; model, chats get two instead: one that finds tools, one that calls them.

;;; Code:

(require 'cl-lib)
(require 'seq)

(defvar gptel-tools)
(defvar gptel--tool-names)
(declare-function gptel-tool-name "ext:gptel-request")
(declare-function org-entry-get "org")

(defcustom plugboard-activate-tools t
  "Whether registered tools are also put into `gptel-tools'.
When nil, you choose them yourself in gptel's menu."
  :type 'boolean
  :group 'plugboard)

(defcustom plugboard-active-tools-max 100
  "Most tools of servers that become active by themselves.
Some providers refuse a request with more than 128.  When there are more,
chats get two tools instead, with which the model finds and calls all the
others; single ones can still be chosen in gptel's menu."
  :type 'integer
  :group 'plugboard)

(defvar plugboard-own-tools (make-hash-table :test #'equal)
  "Tools registered here, by name: a plist with :tool, :category, :server and :raw.")

(defconst plugboard-chats-finders '("plugboard_find_tools" "plugboard_call_tool")
  "Names of the tools that stand for all others when there are too many.")

(defvar plugboard-chats--many nil "Whether there are too many tools for all to be active.")
(defvar plugboard-chats--missing-default nil "Names that the default list had until they went.")
(defvar-local plugboard-chats--missing nil
  "Names that this chat had active until they went, or t where all did.")

(defun plugboard-chats ()
  "Return the buffers with a list of active tools of their own."
  (and (boundp 'gptel-tools)
       (seq-filter (lambda (buffer) (local-variable-p 'gptel-tools buffer)) (buffer-list))))

(defun plugboard-chats-whole ()
  "Return the chats with all tools that become active by themselves.
A chat whose user has chosen some of them gets no others."
  (let ((count (plugboard-chats--count)))
    (seq-filter (lambda (buffer)
                  (or (eq t (buffer-local-value 'plugboard-chats--missing buffer))
                      (plugboard-chats--whole-p (buffer-local-value 'gptel-tools buffer) count)))
                (plugboard-chats))))

(defun plugboard-chats--count ()
  "Return how many of our tools become active by themselves."
  (cl-loop for name being the hash-keys of plugboard-own-tools
           count (plugboard-chats--auto-p name)))

(defun plugboard-chats--whole-p (active count)
  "Return non-nil if ACTIVE has all COUNT tools that become active by themselves."
  (and (> count 0)
       (= count (cl-count-if (lambda (tool) (plugboard-chats--auto-p (gptel-tool-name tool))) active))))

(defun plugboard-chats--auto-p (name)
  "Return non-nil if NAME is a tool of ours that becomes active by itself."
  (let ((own (gethash name plugboard-own-tools)))
    (cond ((null own) nil)
          ((plist-get own :server) (not plugboard-chats--many))
          ((member name plugboard-chats-finders) plugboard-chats--many)
          (t t))))

;;; Coming and going

(defun plugboard-chats-put (tools chats)
  "Make TOOLS active by default and in CHATS, those that do so by themselves.
Wherever an older tool of the same name stands, it is replaced; where one
stood until it went, it comes back."
  (when tools
    (let ((fresh (make-hash-table :test #'equal))
          (auto (seq-filter (lambda (tool) (plugboard-chats--auto-p (gptel-tool-name tool))) tools)))
      (dolist (tool tools) (puthash (gptel-tool-name tool) tool fresh))
      (setq-default gptel-tools
                    (plugboard-chats--merged (default-value 'gptel-tools) fresh
                                             (and plugboard-activate-tools auto)
                                             (plugboard-chats--back tools plugboard-chats--missing-default)))
      (setq plugboard-chats--missing-default
            (plugboard-chats--without plugboard-chats--missing-default fresh))
      (dolist (buffer (plugboard-chats))
        (with-current-buffer buffer
          (setq gptel-tools
                (plugboard-chats--merged gptel-tools fresh
                                         (and plugboard-activate-tools (memq buffer chats) auto)
                                         (plugboard-chats--back tools plugboard-chats--missing))
                plugboard-chats--missing (plugboard-chats--without plugboard-chats--missing fresh)))))))

(defun plugboard-chats--merged (active fresh &rest more)
  "Return ACTIVE with its tools replaced from FRESH, a table by name.
Tools in the lists MORE that it lacks come at its end."
  (let ((seen (make-hash-table :test #'equal)))
    (append (mapcar (lambda (tool)
                      (puthash (gptel-tool-name tool) t seen)
                      (or (gethash (gptel-tool-name tool) fresh) tool))
                    active)
            (seq-remove (lambda (tool)
                          (prog1 (gethash (gptel-tool-name tool) seen)
                            (puthash (gptel-tool-name tool) t seen)))
                        (apply #'append more)))))

(defun plugboard-chats--back (tools missing)
  "Return those of TOOLS whose names are in MISSING."
  (and (consp missing) (seq-filter (lambda (tool) (member (gptel-tool-name tool) missing)) tools)))

(defun plugboard-chats--without (missing fresh)
  "Return MISSING without the names in the table FRESH."
  (and (consp missing) (seq-remove (lambda (name) (gethash name fresh)) missing)))

(defun plugboard-chats-take-out (tools)
  "Take TOOLS out of every active list, and remember where they stood.
A list with all that become active by themselves gets them again anyway."
  (when (boundp 'gptel-tools)
    (let* ((gone (make-hash-table :test #'eq))
           (gone-p (lambda (tool) (gethash tool gone)))
           (lost (lambda (active missing)
                   (cl-union (mapcar #'gptel-tool-name (seq-filter gone-p active))
                             (and (consp missing) missing) :test #'equal)))
           (whole (plugboard-chats-whole)))
      (dolist (tool tools) (puthash tool t gone))
      (unless plugboard-activate-tools
        (setq plugboard-chats--missing-default
              (funcall lost (default-value 'gptel-tools) plugboard-chats--missing-default)))
      (setq-default gptel-tools (seq-remove gone-p (default-value 'gptel-tools)))
      (dolist (buffer (plugboard-chats))
        (with-current-buffer buffer
          (setq plugboard-chats--missing
                (if (memq buffer whole) (= (length tools) (hash-table-count plugboard-own-tools))
                  (funcall lost gptel-tools plugboard-chats--missing))
                gptel-tools (seq-remove gone-p gptel-tools)))))))

;;; Too many

(defun plugboard-chats-expect (count)
  "Note that servers offer COUNT tools.
When that becomes too many, or few enough, lists that hold all get the two
finders instead, or all again."
  (let ((many (> count plugboard-active-tools-max)))
    (unless (eq many plugboard-chats--many)
      (let ((whole (plugboard-chats-whole)))
        (setq plugboard-chats--many many)
        (when (and plugboard-activate-tools (> (hash-table-count plugboard-own-tools) 0))
          (setq-default gptel-tools (plugboard-chats--switched (default-value 'gptel-tools))))
        (dolist (buffer whole)
          (with-current-buffer buffer (setq gptel-tools (plugboard-chats--switched gptel-tools))))))))

(defun plugboard-chats--switched (active)
  "Return ACTIVE with our tools replaced by those that become active by themselves."
  (append (seq-remove (lambda (tool) (gethash (gptel-tool-name tool) plugboard-own-tools)) active)
          (cl-loop for name being the hash-keys of plugboard-own-tools using (hash-values own)
                   when (plugboard-chats--auto-p name) collect (plist-get own :tool))))

;;; Chats from files

(defun plugboard-chats-saved-names ()
  "Return the names of tools that the chat in this buffer was saved with."
  (when buffer-file-name
    (if (derived-mode-p 'org-mode)
        (save-restriction
          (widen)
          (split-string (or (org-entry-get (point-min) "GPTEL_TOOLS") "")))
      (and (boundp 'gptel--tool-names) (listp gptel--tool-names) gptel--tool-names))))

(provide 'plugboard-chats)
;;; plugboard-chats.el ends here
