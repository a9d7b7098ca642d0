<?php
/** WordPress's errors and its HTTP client. */

class WP_Error {
	private $code;
	private $message;
	private $data;

	public function __construct( $code = '', $message = '', $data = '' ) {
		$this->code    = $code;
		$this->message = $message;
		$this->data    = $data;
	}

	public function get_error_code() {
		return $this->code;
	}

	public function get_error_message() {
		return $this->message;
	}

	public function get_error_data() {
		return $this->data;
	}
}

function is_wp_error( $thing ): bool {
	return $thing instanceof WP_Error;
}

/** Returns the answer of the test's checkout server; null simulates a network failure. */
function wp_remote_post( string $url, array $options ) {
	Stubs::$calls[] = array( 'url' => $url ) + $options;
	$answer = null === Stubs::$checkout_server ? null : ( Stubs::$checkout_server )( $url, $options );
	return $answer ?? new WP_Error( 'http_request_failed', 'cURL error 28' );
}

function wp_remote_retrieve_response_code( array $reply ) {
	return $reply['status'];
}

function wp_remote_retrieve_body( array $reply ) {
	return $reply['body'];
}
