<?php
/** Stands for WooCommerce's WC_Email. What it sends is kept in Stubs::$owner_mails. */
class WC_Email {
	public $id;
	public $title;
	public $description;
	public $customer_email;
	public $placeholders = array();
	public $recipient;
	public $object;
	public $form_fields = array();
	public $settings    = array();

	public function __construct() {
		$this->init_form_fields();
		$this->settings = (array) get_option( "woocommerce_{$this->id}_settings", array() );
	}

	public function init_form_fields() {
		$this->form_fields = array( 'enabled' => array( 'type' => 'checkbox', 'default' => 'yes' ) );
	}

	/** As in WooCommerce, an empty setting is replaced by the given value. */
	public function get_option( $key, $empty_value = null ) {
		$value = $this->settings[ $key ] ?? $this->form_fields[ $key ]['default'] ?? '';
		return null !== $empty_value && '' === $value ? $empty_value : $value;
	}

	public function is_enabled() {
		return 'yes' === $this->get_option( 'enabled' );
	}

	public function get_recipient() {
		return $this->recipient;
	}

	public function setup_locale() {}

	public function restore_locale() {}

	public function get_subject() {
		return strtr( $this->get_option( 'subject', $this->get_default_subject() ), $this->placeholders );
	}

	public function get_heading() {
		return strtr( $this->get_option( 'heading', $this->get_default_heading() ), $this->placeholders );
	}

	public function get_content() {
		return 'plain' === $this->get_option( 'email_type' ) ? $this->get_content_plain() : $this->get_content_html();
	}

	public function get_headers() {
		return '';
	}

	public function get_attachments() {
		return array();
	}

	public function send( $to, $subject, $message, $headers, $attachments ) {
		Stubs::$owner_mails[] = compact( 'to', 'subject', 'message' );
		return true;
	}
}

/** An e-mail of WooCommerce about an order. It is kept with the order: only the owner's has a mark in WooCommerce, and is sent once. */
final class Stub_Order_Email extends WC_Email {
	public function __construct( string $id ) {
		$this->id = $id;
		parent::__construct();
	}

	public function trigger( $order_id ): void {
		$id           = $this->id;
		$this->object = wc_get_order( $order_id );
		if ( ! $this->is_enabled() || ( 'new_order' === $id && $this->object->get_new_order_email_sent() ) ) {
			return;
		}
		change_order_row(
			(int) $order_id,
			static function ( array $row ) use ( $id ): array {
				$row['mails'][] = $id;
				return $row;
			}
		);
		do_action( 'woocommerce_email_sent', true, $id, $this );
	}
}

/**
 * WooCommerce creates its e-mails only when a registered action is fired: it then fires `{$action}_notification`, for which the
 * e-mails listen. Here the e-mails are created anew each time, so the listeners of the earlier ones are removed first.
 */
function fire_email_actions( string $action ): void {
	if ( in_array( $action, apply_filters( 'woocommerce_email_actions', array() ), true ) ) {
		add_action(
			$action,
			static function ( ...$values ) use ( $action ): void {
				$GLOBALS['hooks'][ "{$action}_notification" ] = array();
				apply_filters( 'woocommerce_email_classes', array() );
				do_action( "{$action}_notification", ...$values );
			},
			10,
			10
		);
	}
}
