<?php
/** The e-mail to the owner: money of an order waits for a decision. It is set up under WooCommerce, Settings, E-mails. */

defined( 'ABSPATH' ) || exit;

class Tillkit_Decision_Email extends WC_Email {

	public function __construct() {
		$this->id             = 'tillkit_decision';
		$this->title          = __( 'Payment needs a decision', 'tillkit-checkout' );
		$this->description    = __( 'Sent to the shop when the money of an order waits for a decision: a payment that does not match, a second payment, a failed refund.', 'tillkit-checkout' );
		$this->customer_email = false;
		$this->placeholders   = array( '{order_number}' => '' );
		add_action( 'tillkit_order_needs_decision_notification', array( $this, 'trigger' ) );
		parent::__construct();
		$this->recipient = $this->get_option( 'recipient', get_option( 'admin_email' ) );
	}

	public function init_form_fields() {
		parent::init_form_fields();
		$this->form_fields['recipient'] = array(
			'title'       => __( 'Recipients', 'tillkit-checkout' ),
			'type'        => 'text',
			'description' => __( 'E-mail addresses with commas between. Without an address the administrator of the site gets the e-mail.', 'tillkit-checkout' ),
			'default'     => '',
		);
	}

	/** @param int $order_id */
	public function trigger( $order_id ): void {
		$order = wc_get_order( $order_id );
		if ( ! $order instanceof WC_Order || array() === tillkit_decision_reasons( tillkit_order( $order ) ) ) {
			return;
		}
		$this->setup_locale();
		$this->object                         = $order;
		$this->placeholders['{order_number}'] = $order->get_order_number();
		if ( $this->is_enabled() && $this->get_recipient() ) {
			$this->send( $this->get_recipient(), $this->get_subject(), $this->get_content(), $this->get_headers(), $this->get_attachments() );
		}
		$this->restore_locale();
	}

	public function get_default_subject() {
		return __( 'Order {order_number}: a payment needs your decision', 'tillkit-checkout' );
	}

	public function get_default_heading() {
		return __( 'A payment needs your decision', 'tillkit-checkout' );
	}

	public function get_content_html() {
		ob_start();
		do_action( 'woocommerce_email_header', $this->get_heading(), $this ); // phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.NonPrefixedHooknameFound -- WooCommerce's own action.
		foreach ( $this->sentences() as $sentence ) {
			echo '<p>' . esc_html( $sentence ) . '</p>';
		}
		printf( '<p><a href="%s">%s</a></p>', esc_url( $this->object->get_edit_order_url() ), esc_html( $this->link_text() ) );
		do_action( 'woocommerce_email_footer', $this ); // phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.NonPrefixedHooknameFound -- WooCommerce's own action.
		return ob_get_clean();
	}

	public function get_content_plain() {
		$link = $this->link_text() . ': ' . esc_url_raw( $this->object->get_edit_order_url() );
		return implode( "\n\n", array_merge( array( $this->get_heading() ), $this->sentences(), array( $link ) ) ) . "\n";
	}

	/** Without personal data: an e-mail is not a safe place for it. @return string[] */
	private function sentences(): array {
		/* translators: %s: an order's number */
		$first = sprintf( __( 'Order %s is waiting for you.', 'tillkit-checkout' ), $this->object->get_order_number() );
		return array_merge( array( $first ), array_map( 'tillkit_decision_text', tillkit_decision_reasons( tillkit_order( $this->object ) ) ) );
	}

	private function link_text(): string {
		return __( 'Open the order and decide', 'tillkit-checkout' );
	}
}
