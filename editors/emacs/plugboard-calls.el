;;; plugboard-calls.el --- One call of a tool, answered once  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A call goes to the hub and comes back through its callback exactly once:
;; with the result, an error, a timeout or a cancellation.  The hub decides
;; whether a person must agree first; until then the call waits there.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'plugboard-http)
(require 'plugboard-hub)

(defcustom plugboard-call-timeout 60
  "Seconds that a call may take before it is canceled.
Time spent waiting for your approval doesn't count, and progress extends it."
  :type 'number
  :group 'plugboard)

(defcustom plugboard-call-timeouts nil
  "Timeouts of single tools, by their gptel names."
  :type '(alist :key-type string :value-type number)
  :group 'plugboard)

(defvar plugboard-calls-approval-function #'ignore
  "Function called with the approval that a call of ours waits for.")

(defvar plugboard-calls-host-function #'ignore
  "Function that returns the id under which this Emacs answers servers, or nil.")

(defvar plugboard-calls--open nil "Calls that have not ended.")
(defvar plugboard-calls--media nil "Folder with images of results, removed on exit.")

(cl-defstruct (plugboard-call (:constructor plugboard-call--make) (:copier nil))
  tool args callback request timer buffer approval done)

(cl-defun plugboard-call (tool args callback &key profile read-only)
  "Call TOOL of the hub with ARGS, a plist; answer through CALLBACK.
CALLBACK gets a string for the model, exactly once.  With PROFILE or
READ-ONLY, a tool outside of them is refused.  Return the call."
  (let ((call (plugboard-call--make :tool tool :args args :callback callback
                                    :buffer (current-buffer))))
    (push call plugboard-calls--open)
    (condition-case problem
        (progn
          (plugboard-calls--watch call)
          (setf (plugboard-call-request call)
                (plugboard-http-request
                 "POST" "/v1/calls" :role 'model :streams t
                 :body (append (list :tool tool :args args :approval "wait" :forModel t)
                               (and profile (list :profile profile))
                               (and read-only (list :readOnly t))
                               (when-let ((host (funcall plugboard-calls-host-function)))
                                 (list :host host)))
                 :on-event (lambda (name value) (plugboard-calls--event call name value))
                 :on-done (lambda (value failure)
                            (plugboard-calls-finish
                             call (plugboard-calls--answer call value failure))))))
      (error (plugboard-calls-finish
              call (format "Error: %s wasn't called: %s" tool (error-message-string problem)))))
    call))

(defun plugboard-calls-finish (call text)
  "End CALL with TEXT, unless it has ended.  Late answers are dropped."
  (unless (plugboard-call-done call)
    (setf (plugboard-call-done call) t)
    (setq plugboard-calls--open (delq call plugboard-calls--open))
    (plugboard-calls--stop-timer call)
    (plugboard-http-cancel (plugboard-call-request call))
    (condition-case problem
        (with-current-buffer (if (buffer-live-p (plugboard-call-buffer call))
                                 (plugboard-call-buffer call)
                               (current-buffer))
          (funcall (plugboard-call-callback call) text))
      (error (message "Plugboard: the answer of %s wasn't taken: %s"
                      (plugboard-call-tool call) (error-message-string problem))))))

(defun plugboard-calls-open ()
  "Return every call that has not ended, as a list."
  plugboard-calls--open)

(defun plugboard-calls--event (call name value)
  "Take the event NAME with VALUE of CALL."
  (pcase name
    ("approval"
     (plugboard-calls--stop-timer call)
     (setf (plugboard-call-approval call) (plist-get value :id))
     (funcall plugboard-calls-approval-function value))
    ("progress" (unless (plugboard-call-approval call) (plugboard-calls--watch call)))))

(defun plugboard-calls-answered (approval)
  "Let the time of the call that waited for APPROVAL run again."
  (dolist (call plugboard-calls--open)
    (when (equal (plugboard-call-approval call) approval)
      (setf (plugboard-call-approval call) nil)
      (plugboard-calls--watch call))))

(defun plugboard-calls-own-p (approval)
  "Return non-nil if a call of this Emacs waits for APPROVAL."
  (seq-some (lambda (call) (equal (plugboard-call-approval call) approval)) plugboard-calls--open))

;;; Ending early

(defun plugboard-calls--watch (call)
  "Start the time that CALL has, from now."
  (plugboard-calls--stop-timer call)
  (let ((seconds (or (cdr (assoc (plugboard-call-tool call) plugboard-call-timeouts))
                     plugboard-call-timeout)))
    (setf (plugboard-call-timer call)
          (run-at-time seconds nil #'plugboard-calls-finish call
                       (format "Error: %s took longer than %s s and was canceled."
                               (plugboard-call-tool call) seconds)))))

(defun plugboard-calls--stop-timer (call)
  "Stop the time of CALL."
  (when (plugboard-call-timer call)
    (cancel-timer (plugboard-call-timer call))
    (setf (plugboard-call-timer call) nil)))

(defun plugboard-calls-cancel (&optional buffer)
  "Cancel every call of BUFFER, or all; return how many.
Closing a connection cancels its call at the server."
  (let ((calls (seq-filter (lambda (call) (or (null buffer) (eq buffer (plugboard-call-buffer call))))
                           plugboard-calls--open)))
    (dolist (call calls)
      (plugboard-calls-finish call (format "Error: %s was canceled by the user."
                                           (plugboard-call-tool call))))
    (length calls)))

(defun plugboard-calls--quit (&rest _)
  "Cancel every call of the current buffer when its user quits."
  (when (and plugboard-calls--open (> (plugboard-calls-cancel (current-buffer)) 0))
    (message "Plugboard: canceled the running tool calls")))

(defun plugboard-calls-install ()
  "Let \\[keyboard-quit] and `gptel-abort' cancel each call at its server."
  (advice-add 'keyboard-quit :before #'plugboard-calls--quit)
  (advice-add 'gptel-abort :before #'plugboard-calls--aborted))

(defun plugboard-calls-uninstall ()
  "Undo `plugboard-calls-install'."
  (advice-remove 'keyboard-quit #'plugboard-calls--quit)
  (advice-remove 'gptel-abort #'plugboard-calls--aborted))

(defun plugboard-calls--aborted (&optional buffer &rest _)
  "Cancel every call of BUFFER, whose request is aborted."
  (plugboard-calls-cancel (or buffer (current-buffer))))

;;; What the model reads

(defun plugboard-calls--answer (call value failure)
  "Return the text for the model of CALL, which ended with VALUE or with FAILURE.
A result that can't be shown is told as that: the call ran, and has ended."
  (condition-case problem
      (if failure (plugboard-calls--failure failure) (plugboard-calls-text value))
    (error (format "Error: %s ran, but its result can't be shown: %s"
                   (plugboard-call-tool call) (error-message-string problem)))))

(defun plugboard-calls--failure (problem)
  "Return PROBLEM as the model should read it."
  (let ((code (or (plugboard-get problem :code) "internal")))
    (format "Error (%s): %s" code (or (plugboard-get problem :message) "The call failed."))))

(defun plugboard-calls-text (value)
  "Return VALUE, the result of a call, as the model should read it.
Texts are already marked by the hub as what a server said."
  (let* ((result (plist-get value :result))
         (texts (delq nil (mapcar #'plugboard-calls--content
                                  (plugboard-each (plist-get result :content)))))
         (structured (and (null texts) (plist-get result :structuredContent)))
         (handle (plist-get value :handle))
         (hint (plugboard-get value :hint :says)))
    (string-join
     (delq nil
           (append
            (when (plugboard-get value :isError)
              (list (format "Error: %s/%s reported a failure." (plist-get value :server)
                            (plist-get value :tool))))
            texts
            (when structured (list (plugboard-calls-external value (plugboard-json structured))))
            (when (and (null texts) (null structured) (null handle)) (list "(no content)"))
            (when handle
              (list (format (concat "[Large result: %s bytes in %s pages, kept whole as %s. Above is its"
                                    " beginning. Read more with plugboard_read_result.]")
                            (plist-get handle :bytes) (plist-get handle :pages)
                            (plist-get handle :id))))
            (when hint (list hint))))
     "\n\n")))

(defun plugboard-calls-external (value text)
  "Return TEXT of the server in VALUE between two lines that say whose it is.
Both hold a random word, which TEXT can't know."
  (let ((mark (substring (secure-hash 'sha256 (format "%s%s%s" (random) (float-time) text)) 0 8)))
    (format "[external text from %s, mark %s]\n%s\n[end of external text, mark %s]"
            (plist-get value :server) mark text mark)))

(defun plugboard-calls--content (item)
  "Return ITEM of a result's content as text."
  (pcase (plist-get item :type)
    ("text" (plist-get item :text))
    ((or "image" "audio") (plugboard-calls--keep-media item))
    ("resource_link" (format "[resource %s: %s]" (or (plugboard-get item :name) "")
                             (plist-get item :uri)))
    ("resource" (or (plugboard-get item :resource :text)
                    (format "[resource %s]" (plugboard-get item :resource :uri))))
    (kind (format "[content of the kind %s]" kind))))

(defun plugboard-calls--keep-media (item)
  "Save ITEM, an image or a sound, to a private file and name it."
  (let* ((type (or (plugboard-get item :mimeType) "application/octet-stream"))
         (ending (replace-regexp-in-string "[^a-z0-9]" "" (car (last (split-string type "/")))))
         (bytes (base64-decode-string (or (plugboard-get item :data) "")))
         (coding-system-for-write 'binary)
         file)
    (unless (and plugboard-calls--media (file-directory-p plugboard-calls--media))
      (setq plugboard-calls--media (make-temp-file "plugboard-media-" t)))
    (setq file (make-temp-file (expand-file-name "result-" plugboard-calls--media) nil
                               (concat "." ending)))
    (write-region bytes nil file nil 'silent)
    (format "[%s, %d bytes, saved as %s]" type (length bytes) file)))

(defun plugboard-calls-forget-media ()
  "Remove the saved images and sounds."
  (when (and plugboard-calls--media (file-directory-p plugboard-calls--media))
    (delete-directory plugboard-calls--media t))
  (setq plugboard-calls--media nil))

(provide 'plugboard-calls)
;;; plugboard-calls.el ends here
