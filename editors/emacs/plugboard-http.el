;;; plugboard-http.el --- The hub's HTTP API, without waiting  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 Plugboard contributors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Everything Emacs says to the hub goes through `plugboard-http-request'.
;; It opens one connection per request, over the hub's unix socket or a
;; loopback port, and returns at once.  The answer is parsed in the process
;; filter and handed to a callback exactly once.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'url-util)
(require 'plugboard-address)

(defconst plugboard-http-bytes-max (* 64 1024 1024)
  "Most bytes of one answer or event.")

(defconst plugboard-http--retry-seconds-max 30
  "Longest pause before a broken stream is opened again.")

(defconst plugboard-http--gone
  '(:code "hub_unavailable"
    :message "The hub stopped before it answered. This may or may not have been done."
    :remedy (:do "start-hub"))
  "The error of a request whose connection ended before its answer.")

(cl-defstruct (plugboard-http--request (:constructor plugboard-http--make)
                                       (:copier nil))
  process status chunked streams (parts nil) (bytes 0) (rest nil)
  on-open on-event on-done done)

;;; Requests

(cl-defun plugboard-http-request (method path &key body (role 'person) streams
                                         on-open on-event on-done)
  "Send METHOD PATH to the hub and return the request at once.
BODY is a plist, sent as JSON.  ROLE says for whom Emacs speaks: `person'
or `model'.  With STREAMS the answer may come as events: ON-EVENT gets the
name and the value of each.  ON-OPEN is called when the hub has accepted.
ON-DONE is called exactly once with VALUE and ERROR, one of which is nil,
unless `plugboard-http-cancel' comes first.  ERROR is a plist with :code."
  (let ((request (plugboard-http--make :on-open on-open :on-event on-event
                                       :on-done (or on-done #'ignore))))
    (condition-case problem
        (plugboard-http--send request method path body role streams)
      (error
       (run-at-time 0 nil #'plugboard-http--finish request nil
                    (list :code "hub_unavailable" :message (error-message-string problem)
                          :remedy '(:do "start-hub")))))
    request))

(defun plugboard-http--send (request method path body role streams)
  "Open the connection of REQUEST and send METHOD PATH with BODY.
ROLE and STREAMS are those of `plugboard-http-request'."
  (let* ((address (plugboard-address))
         ;; A buffer's folder may be remote; a connection of ours never is.
         (default-directory temporary-file-directory)
         (buffer (generate-new-buffer " *plugboard-http*" t))
         (content (and body (encode-coding-string (plugboard-json body) 'utf-8 t)))
         (head (plugboard-http--head address method path content role streams))
         (process
          (condition-case problem
              (apply #'make-network-process :name "plugboard" :buffer buffer :noquery t
                     :coding 'binary :filter #'plugboard-http--filter
                     :sentinel #'plugboard-http--sentinel
                     (if (plist-get address :socket)
                         (list :family 'local :service (plist-get address :socket))
                       (list :host (plist-get address :host) :service (plist-get address :port)
                             :nowait t)))
            (error (kill-buffer buffer) (signal (car problem) (cdr problem))))))
    (with-current-buffer buffer (set-buffer-multibyte nil))
    (process-put process 'plugboard request)
    (process-put process 'plugboard-text (concat head content))
    (setf (plugboard-http--request-process request) process)
    (unless (eq (process-status process) 'connect) (plugboard-http--write process))))

(defun plugboard-http--head (address method path content role streams)
  "Return the head of METHOD PATH to ADDRESS with CONTENT.
ROLE and STREAMS are those of `plugboard-http-request'."
  (encode-coding-string
   (concat method " " path " HTTP/1.1\r\n"
           "host: " (plist-get address :name) "\r\n"
           "connection: close\r\n"
           "accept: " (if streams "text/event-stream" "application/json") "\r\n"
           "plug-client: " (plugboard-address-client role) "\r\n"
           (and plugboard-folder (not (file-remote-p plugboard-folder))
                (format "plug-folder: %s\r\n"
                        (url-hexify-string (directory-file-name (expand-file-name plugboard-folder)))))
           (and (plist-get address :token)
                (format "authorization: Bearer %s\r\n" (plist-get address :token)))
           (and content (format "content-type: application/json\r\ncontent-length: %d\r\n"
                                (length content)))
           "\r\n")
   'utf-8 t))

(defun plugboard-http--write (process)
  "Send what PROCESS has to say, once."
  (when-let ((text (process-get process 'plugboard-text)))
    (process-put process 'plugboard-text nil)
    (process-send-string process text)))

(defun plugboard-http-cancel (request)
  "Close the connection of REQUEST, which cancels it at the hub.
Its callback isn't called any more."
  (when (and request (not (plugboard-http--request-done request)))
    (setf (plugboard-http--request-done request) t)
    (plugboard-http--close request)))

(defun plugboard-http-live-p (request)
  "Return non-nil as long as REQUEST has neither ended nor been canceled."
  (and request (not (plugboard-http--request-done request))))

(defun plugboard-http--close (request)
  "Free the process and the buffer of REQUEST."
  (when-let ((process (plugboard-http--request-process request)))
    (let ((buffer (process-buffer process)))
      (set-process-sentinel process #'ignore)
      (delete-process process)
      (when (buffer-live-p buffer) (kill-buffer buffer)))))

(defun plugboard-http--finish (request value problem)
  "End REQUEST with VALUE, or with PROBLEM, unless it has ended."
  (unless (plugboard-http--request-done request)
    (setf (plugboard-http--request-done request) t)
    (plugboard-http--close request)
    (plugboard-http--tell (plugboard-http--request-on-done request) value problem)))

(defun plugboard-http--tell (function &rest arguments)
  "Call FUNCTION with ARGUMENTS; its failure must not end a process filter."
  (condition-case problem
      (apply function arguments)
    (error (message "Plugboard: %s" (error-message-string problem)))))

;;; Answers

(defun plugboard-http--sentinel (process _event)
  "Send the request of PROCESS when it opens, and end it when it closes."
  (let ((request (process-get process 'plugboard)))
    (pcase (process-status process)
      ('open (plugboard-http--write process))
      ((or 'closed 'failed 'exit 'signal)
       (cond
        ((plugboard-http--request-done request))
        ((or (null (plugboard-http--request-status request))
             (plugboard-http--request-chunked request)
             (plugboard-http--request-streams request))
         (plugboard-http--finish request nil plugboard-http--gone))
        (t (plugboard-http--end-body request)))))))

(defun plugboard-http--filter (process text)
  "Take TEXT, the next bytes from the hub, for the request of PROCESS."
  (let ((request (process-get process 'plugboard)))
    (when (and (plugboard-http-live-p request) (buffer-live-p (process-buffer process)))
      (condition-case problem
          (with-current-buffer (process-buffer process)
            (goto-char (point-max))
            (insert text)
            (when (or (plugboard-http--request-status request) (plugboard-http--read-head request))
              (if (plugboard-http--request-chunked request)
                  (plugboard-http--read-chunks request)
                (plugboard-http--take request (delete-and-extract-region (point-min) (point-max))))))
        (error
         (plugboard-http--finish request nil
                                 (list :code "protocol_error"
                                       :message (error-message-string problem))))))))

(defun plugboard-http--read-head (request)
  "Read the head of the answer to REQUEST, if it is all there."
  (goto-char (point-min))
  (when (search-forward "\r\n\r\n" nil t)
    (let ((head (downcase (buffer-substring (point-min) (point)))))
      (delete-region (point-min) (point))
      (unless (string-match "\\`http/1\\.[01] \\([0-9]+\\)" head) (error "This isn't a hub"))
      (setf (plugboard-http--request-status request) (string-to-number (match-string 1 head))
            (plugboard-http--request-chunked request)
            (and (string-match-p "\r\ntransfer-encoding: *chunked" head) t)
            (plugboard-http--request-streams request)
            (and (string-match-p "\r\ncontent-type: *text/event-stream" head) t))
      (when (and (plugboard-http--request-on-open request)
                 (< (plugboard-http--request-status request) 400))
        (plugboard-http--tell (plugboard-http--request-on-open request)))
      t)))

(defun plugboard-http--read-chunks (request)
  "Take every whole chunk in the current buffer for REQUEST."
  (goto-char (point-min))
  (let ((start (point)) (more t))
    (while (and more (looking-at "\\([0-9a-fA-F]+\\)[^\r\n]*\r\n"))
      (let* ((size (string-to-number (match-string 1) 16))
             (from (match-end 0))
             (to (+ from size)))
        (cond
         ((> size plugboard-http-bytes-max) (error "The hub sent too much"))
         ((> (+ to 2) (point-max)) (setq more nil))
         ((zerop size)
          (setq more nil)
          (plugboard-http--end-body request))
         (t
          (plugboard-http--take request (buffer-substring from to))
          (if (plugboard-http--request-done request)
              (setq more nil)
            (goto-char (+ to 2))
            (setq start (point)))))))
    (unless (plugboard-http--request-done request) (delete-region (point-min) start))))

(defun plugboard-http--take (request bytes)
  "Take BYTES of the body for REQUEST."
  (cl-incf (plugboard-http--request-bytes request) (length bytes))
  (if (plugboard-http--request-streams request)
      (plugboard-http--take-events request bytes)
    (when (> (plugboard-http--request-bytes request) plugboard-http-bytes-max)
      (error "The hub sent too much"))
    (push bytes (plugboard-http--request-parts request))))

(defun plugboard-http--end-body (request)
  "End REQUEST with the body that has come."
  (if (plugboard-http--request-streams request)
      (plugboard-http--finish request nil plugboard-http--gone)
    (let* ((text (decode-coding-string
                  (apply #'concat (nreverse (plugboard-http--request-parts request))) 'utf-8 t))
           (value (unless (string-empty-p text) (plugboard-parse-json text))))
      (if (< (plugboard-http--request-status request) 400)
          (plugboard-http--finish request value nil)
        (plugboard-http--finish request nil
                                (or (plugboard-get value :error)
                                    (list :code "protocol_error"
                                          :message (format "The hub answered %d."
                                                           (plugboard-http--request-status request)))))))))

(defun plugboard-http--take-events (request bytes)
  "Take BYTES of an event stream for REQUEST."
  (let* ((parts (plugboard-http--request-rest request))
         (seam (if parts (substring (car parts) -1) "")))
    (if (not (string-search "\n\n" (concat seam bytes)))
        (unless (string-empty-p bytes) (push bytes (plugboard-http--request-rest request)))
      (let ((blocks (split-string (apply #'concat (nreverse (cons bytes parts))) "\n\n")))
        (setf (plugboard-http--request-rest request) nil
              (plugboard-http--request-bytes request) 0)
        (while (cdr blocks)
          (unless (plugboard-http--request-done request)
            (plugboard-http--take-event request (pop blocks)))
          (when (plugboard-http--request-done request) (setq blocks nil)))
        (unless (member (car blocks) '(nil ""))
          (push (car blocks) (plugboard-http--request-rest request)))))
    (when (> (plugboard-http--request-bytes request) plugboard-http-bytes-max)
      (error "The hub sent too much"))))

(defun plugboard-http--take-event (request block)
  "Hand on the event in BLOCK for REQUEST."
  (let ((name "message") (data nil))
    (dolist (line (split-string block "\n"))
      (cond ((string-prefix-p "event: " line) (setq name (substring line 7)))
            ((string-prefix-p "data: " line) (push (substring line 6) data))))
    (when data
      (let ((value (plugboard-parse-json
                    (decode-coding-string (string-join (nreverse data) "\n") 'utf-8 t))))
        (pcase name
          ("result" (plugboard-http--finish request value nil))
          ("error" (plugboard-http--finish request nil value))
          (_ (when (plugboard-http--request-on-event request)
               (plugboard-http--tell (plugboard-http--request-on-event request) name value))))))))

;;; Streams that never end

(cl-defstruct (plugboard-http-stream (:constructor plugboard-http--make-stream) (:copier nil))
  path on-open on-event on-lost request timer (attempt 0) stopped)

(cl-defun plugboard-http-open-stream (path &key on-open on-event on-lost)
  "Read the events at PATH until `plugboard-http-close-stream'.
ON-OPEN is called each time the hub has accepted, ON-EVENT with each value.
A stream that breaks is opened again, after a pause that grows; ON-LOST is
told the error each time, and stops it by returning `stop'."
  (let ((stream (plugboard-http--make-stream :path path :on-open on-open :on-event on-event
                                             :on-lost on-lost)))
    (plugboard-http--open-again stream)
    stream))

(defun plugboard-http--open-again (stream)
  "Open STREAM, unless it was closed."
  (unless (plugboard-http-stream-stopped stream)
    (setf (plugboard-http-stream-timer stream) nil
          (plugboard-http-stream-request stream)
          (plugboard-http-request
           "GET" (plugboard-http-stream-path stream) :streams t
           :on-open (lambda ()
                      (setf (plugboard-http-stream-attempt stream) 0)
                      (when (plugboard-http-stream-on-open stream)
                        (funcall (plugboard-http-stream-on-open stream))))
           :on-event (lambda (_name value) (funcall (plugboard-http-stream-on-event stream) value))
           :on-done (lambda (_value problem) (plugboard-http--lost stream problem))))))

(defun plugboard-http--lost (stream problem)
  "Open STREAM again later, after it ended with PROBLEM."
  (let ((seconds (min plugboard-http--retry-seconds-max
                      (* 0.25 (expt 2 (min 8 (plugboard-http-stream-attempt stream)))))))
    (cl-incf (plugboard-http-stream-attempt stream))
    (unless (or (plugboard-http-stream-stopped stream)
                (and (plugboard-http-stream-on-lost stream)
                     (eq (funcall (plugboard-http-stream-on-lost stream) problem) 'stop)))
      (setf (plugboard-http-stream-timer stream)
            (run-at-time seconds nil #'plugboard-http--open-again stream)))))

(defun plugboard-http-close-stream (stream)
  "Close STREAM for good."
  (when stream
    (setf (plugboard-http-stream-stopped stream) t)
    (when (plugboard-http-stream-timer stream) (cancel-timer (plugboard-http-stream-timer stream)))
    (plugboard-http-cancel (plugboard-http-stream-request stream))))

(provide 'plugboard-http)
;;; plugboard-http.el ends here
