;;; plugboard-tools.el --- The hub's catalog as gptel tools  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Registers every tool the hub offers with gptel, under one category per
;; server, and keeps `gptel-tools' in step.  Only tools registered here are
;; ever replaced or removed.  A large catalog is registered in slices, so
;; that typing is never held up.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'plugboard-http)
(require 'plugboard-hub)
(require 'plugboard-schema)
(require 'plugboard-calls)
(require 'plugboard-chats)
(require 'plugboard-catalog)

(defvar gptel--known-tools)
(defvar gptel-pre-tool-call-functions)
(declare-function gptel-make-tool "ext:gptel-request")

(defcustom plugboard-category-format "plug-%s"
  "Category of a server's tools in gptel, made from the server's name."
  :type 'string
  :group 'plugboard)

(defcustom plugboard-slice-seconds 0.01
  "Longest time spent on registering tools before Emacs reads input again."
  :type 'number
  :group 'plugboard)

(defvar plugboard-tools--queue nil "Tools, as the hub has rendered them, that wait to be registered.")
(defvar plugboard-tools--refs nil "Canonical names of the tools in the queue, by name.")
(defvar plugboard-tools--wanted (make-hash-table :test #'equal) "Names that the hub offers.")
(defvar plugboard-tools--timer nil "Timer of the next slice.")
(defvar plugboard-tools--refresh nil "Timer of the next reading of the catalog.")
(defvar plugboard-tools--turn 0 "Number of the reading that was begun last.")
(defvar plugboard-tools--longest 0 "Longest time that one slice took, in seconds.")
(defvar plugboard-tools--active nil "Whether the catalog is registered at all.")
(defvar plugboard-tools-change-hook nil "Hook run when all tools have been registered.")

;;; Reading the catalog

(defun plugboard-tools-activate ()
  "Register the catalog now and after each change.  Return at once."
  (setq plugboard-tools--active t)
  (add-hook 'plugboard-hub-event-functions #'plugboard-tools--event)
  (add-hook 'plugboard-hub-open-hook #'plugboard-tools-refresh)
  (with-eval-after-load 'gptel
    (add-hook 'gptel-pre-tool-call-functions #'plugboard-tools-before-call)
    (when plugboard-tools--queue (plugboard-tools--slice)))
  (when (plugboard-hub-open-p) (plugboard-tools-refresh)))

(defun plugboard-tools-deactivate ()
  "Remove every tool registered here, and register none until asked again."
  (setq plugboard-tools--active nil plugboard-tools--queue nil)
  (when plugboard-tools--timer (cancel-timer plugboard-tools--timer))
  (when plugboard-tools--refresh (cancel-timer plugboard-tools--refresh))
  (setq plugboard-tools--timer nil plugboard-tools--refresh nil)
  (remove-hook 'plugboard-hub-event-functions #'plugboard-tools--event)
  (remove-hook 'plugboard-hub-open-hook #'plugboard-tools-refresh)
  (remove-hook 'gptel-pre-tool-call-functions #'plugboard-tools-before-call)
  (plugboard-tools--remove (hash-table-keys plugboard-own-tools)))

(defun plugboard-tools-count ()
  "Return how many tools of servers are registered."
  (cl-loop for each being the hash-values of plugboard-own-tools
           count (plist-get each :server)))

(defun plugboard-tools-busy-p ()
  "Return non-nil while tools of the hub wait to be registered."
  (or plugboard-tools--refresh (and plugboard-tools--queue (featurep 'gptel))))

(defun plugboard-tools-names (&optional server)
  "Return the names of registered tools, or of those of SERVER."
  (cl-loop for name being the hash-keys of plugboard-own-tools using (hash-values each)
           when (or (null server) (equal server (plist-get each :server)))
           collect name))

(defun plugboard-tools--event (event)
  "Read the catalog again if EVENT is about tools."
  (when (member (plist-get event :kind)
                '("tools-change" "manifest-change" "config-change" "server-state" "events-dropped"))
    ;; A server that starts sends several events; they are one reading.
    (unless plugboard-tools--refresh
      (setq plugboard-tools--refresh (run-at-time 0.1 nil #'plugboard-tools-refresh)))))

(defun plugboard-tools-refresh ()
  "Read the catalog from the hub and register what changed."
  (when plugboard-tools--refresh (cancel-timer plugboard-tools--refresh))
  (setq plugboard-tools--refresh nil)
  (let ((turn (cl-incf plugboard-tools--turn)))
    (plugboard-http-request
     "GET" (plugboard-catalog-path)
     :on-done (lambda (value problem)
                ;; A later reading, which may have come back first, is newer.
                (when (and plugboard-tools--active (not problem) (= turn plugboard-tools--turn))
                  (plugboard-tools-take value))))))

(defun plugboard-tools-take (rendered)
  "Register the tools in RENDERED, the hub's catalog; remove what it lacks."
  (setq plugboard-tools--refs (plist-get rendered :names)
        plugboard-tools--queue (seq-filter #'plugboard-tools--used-p
                                           (plugboard-each (plist-get rendered :tools)))
        plugboard-tools--wanted (make-hash-table :test #'equal))
  (dolist (own plugboard-catalog-own) (puthash (plist-get own :name) t plugboard-tools--wanted))
  (plugboard-chats-expect (length plugboard-tools--queue))
  (plugboard-tools--begin))

(defun plugboard-tools--used-p (tool)
  "Return non-nil if TOOL, as the hub has rendered it, is of a server for Emacs."
  (when-let ((server (plugboard-tools--server tool))) (plugboard-hub-enabled-p server)))

(defun plugboard-tools--server (tool)
  "Return the server of TOOL, as the hub has rendered it, or nil."
  (let* ((ref (plist-get plugboard-tools--refs (intern (concat ":" (plist-get tool :name)))))
         (slash (and ref (string-search "/" ref))))
    (and slash (substring ref 0 slash))))

;;; Registering

(defun plugboard-tools--begin ()
  "Register from the queue soon, after what the hub said has been taken."
  (when plugboard-tools--timer (cancel-timer plugboard-tools--timer))
  (setq plugboard-tools--timer (run-at-time 0 nil #'plugboard-tools--slice)))

(defun plugboard-tools--slice ()
  "Register tools from the queue for a short time, then yield."
  (when plugboard-tools--timer (cancel-timer plugboard-tools--timer))
  (setq plugboard-tools--timer nil)
  (when (featurep 'gptel)
    (let ((begin (float-time)) (made nil) (whole (plugboard-chats-whole)))
      (plugboard-tools--register-own)
      (while (and plugboard-tools--queue (< (- (float-time) begin) plugboard-slice-seconds))
        (when-let ((tool (plugboard-tools--register (pop plugboard-tools--queue))))
          (push tool made)))
      (plugboard-chats-put (nreverse made) whole)
      (if plugboard-tools--queue
          (setq plugboard-tools--timer (plugboard-tools--later))
        (plugboard-tools--remove (seq-remove (lambda (name) (gethash name plugboard-tools--wanted))
                                             (hash-table-keys plugboard-own-tools)))
        (run-hooks 'plugboard-tools-change-hook))
      (setq plugboard-tools--longest (max plugboard-tools--longest (- (float-time) begin))))))

(defun plugboard-tools--later ()
  "Schedule the next slice for when Emacs is idle; return its timer."
  (if noninteractive
      (run-at-time 0 nil #'plugboard-tools--slice)
    (run-with-idle-timer (if (current-idle-time) (time-add (current-idle-time) 0.01) 0.01)
                         nil #'plugboard-tools--slice)))

(defun plugboard-tools--register (raw)
  "Register RAW, a tool as the hub has rendered it, with gptel.
Return the tool, or nil if it is registered already or its name is taken."
  (let* ((name (plist-get raw :name))
         (own (gethash name plugboard-own-tools)))
    (puthash name t plugboard-tools--wanted)
    (cond
     ((and own (equal raw (plist-get own :raw))) nil)
     ((and (null own) (plugboard-tools--taken-p name))
      (message "Plugboard: %s is another tool's name here, so it isn't registered" name)
      nil)
     (t (plugboard-tools--make name (plugboard-tools--server raw) raw)))))

(defun plugboard-tools--make (name server raw)
  "Make the gptel tool NAME of SERVER from RAW, and note that it is ours."
  (let* ((category (format plugboard-category-format server))
         (args (plugboard-schema-args (plist-get raw :input_schema)))
         (tool (gptel-make-tool
                :name name :category category :async t
                :description (or (plugboard-get raw :description) name)
                :args args
                :function (plugboard-tools--function name args))))
    (unless (equal category (plist-get (gethash name plugboard-own-tools) :category))
      (plugboard-tools--forget name))
    (puthash name (list :tool tool :category category :server server :raw raw)
             plugboard-own-tools)
    tool))

(defun plugboard-tools--taken-p (name)
  "Return non-nil if somebody else's tool is called NAME.
gptel dispatches by name alone, so two tools of one name would be mixed up."
  (cl-loop for (_category . tools) in gptel--known-tools
           thereis (assoc name tools)))

(defun plugboard-tools--function (name args)
  "Return the function for gptel to call the tool NAME with ARGS."
  (lambda (callback &rest values)
    (plugboard-catalog-answering callback
      (if (not (gethash name plugboard-own-tools))
          (format "Error: %s isn't offered any more." name)
        (plugboard-call name (plugboard-schema-object args values) callback
                        :profile plugboard-profile :read-only plugboard-read-only)
        nil))))

(defun plugboard-tools--register-own ()
  "Register the tools of our own, once."
  (let ((whole (plugboard-chats-whole)) (made nil))
    (dolist (slots plugboard-catalog-own)
      (let ((name (plist-get slots :name)))
        (unless (gethash name plugboard-own-tools)
          (push (apply #'gptel-make-tool :category "plugboard" :async t slots) made)
          (puthash name (list :tool (car made) :category "plugboard") plugboard-own-tools))))
    (plugboard-chats-put (nreverse made) whole)))

(defun plugboard-tools--remove (names)
  "Remove the tools NAMES, which were registered here."
  (when (and names (boundp 'gptel--known-tools))
    (plugboard-chats-take-out
     (mapcar (lambda (name) (plist-get (gethash name plugboard-own-tools) :tool)) names))
    (mapc #'plugboard-tools--forget names)))

(defun plugboard-tools--forget (name)
  "Take the tool NAME, if it was registered here, out of gptel's register."
  (when-let ((own (gethash name plugboard-own-tools)))
    (remhash name plugboard-own-tools)
    (let ((tools (assoc (plist-get own :category) gptel--known-tools)))
      (setcdr tools (assoc-delete-all name (cdr tools)))
      (unless (cdr tools)
        (setq gptel--known-tools (delq tools gptel--known-tools))))))

;;; Chats from files

(defun plugboard-tools-hold (names)
  "Make room for those of NAMES, of a saved chat, that are ours to come.
gptel looks for them when it restores the chat, and drops what it doesn't
find; the hub's word comes a moment later and takes these places."
  (let ((ours (seq-filter (lambda (name)
                            (and (string-match "\\`mcp__\\(.+?\\)__" name)
                                 (not (plugboard-tools--taken-p name))))
                          (and (require 'gptel nil t) names))))
    (when ours
      (plugboard-tools--register-own)
      (dolist (name ours)
        (string-match "\\`mcp__\\(.+?\\)__" name)
        (plugboard-tools--make name (match-string 1 name) (list :name name))))
    ours))

;;; Before a call

(defun plugboard-tools-before-call (info)
  "Block the call in INFO if it can't be decided by the hub; else let it pass.
The hub enforces approval by itself, so this only spares a doomed call, and
it never lifts a confirmation that gptel would ask for."
  (let ((name (plist-get info :name)))
    (condition-case nil
        (when-let ((own (gethash name plugboard-own-tools)))
          (cond
           ((not (plugboard-hub-open-p))
            (list :block (format "%s wasn't called: the Plugboard hub isn't connected." name)))
           ((and (plist-get own :server) (not (listp (plist-get info :args))))
            (list :block (format "%s wasn't called: its arguments can't be read." name)))))
      (error (list :block (format "%s wasn't called: it couldn't be checked." name))))))

(provide 'plugboard-tools)
;;; plugboard-tools.el ends here
